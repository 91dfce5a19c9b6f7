// A button on each block of code that copies it. Browsers offer the clipboard only over https and on the own machine.

/** How long the button says that the code was copied. */
const SHOWN_MS = 2_000;

function addButton(block: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    const text = `${block.querySelector('code')?.textContent ?? ''}\n`;
    const said = navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not copied',
    );
    void said.then((result) => {
      button.textContent = result;
      setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
    });
  });
  block.append(button);
}

// Without https the browser has no clipboard here, whatever its types say.
const { clipboard }: { clipboard?: Clipboard } = navigator;
if (clipboard) document.querySelectorAll<HTMLElement>('.code').forEach(addButton);
