/**
 * The words in most of the commonest passwords of at least 8 characters. Guessers try them first, with digits and signs
 * around them, and with digits in place of letters.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `
  aaaaaaaa abcabc abcabcabc abcd abcde abcdef abcdefg abcdefgh abcdefghi access admin adminadmin administrator alexander
  alexandra america amanda andrea andrew angel angelina angels anthony apple arsenal asdasd asdasdasd asdf asdfasdf
  asdfgh asdfghj asdfghjk asdfghjkl ashley azerty azertyuiop babygirl babyboy banana barcelona baseball basketball
  batman beautiful benjamin biteme blessed bond brandon butterfly buster carlos caroline champion changeme charlie
  charlotte cheese chelsea chester chicken chocolate chris christian christina christine christopher classic computer
  cookie corvette cowboys creative daniel danielle david default diamond dolphin dolphins donald dragon dragonball
  einstein elephant elizabeth eminem estrella everton facebook ferrari flower football forever forget freedom friends
  friendship fuckoff fuckyou gabriel garfield george gfhjkm godislove google goldfish guest hannah happy hardcore harley
  heather hello hellohello helloworld hockey hunter iceman iloveme ilovegod iloveu iloveyou independent internet
  isabella jackson jasmine jasper jennifer jessica jesus jesuschrist johnny johnson jonathan jordan joseph joshua
  juventus katherine killer kimberly kingdom lakers lauren letmein letmeinnow liverpool login london lorenzo louise love
  loveme lovely lovelove loveyou lover lucky madison maggie manchester manutd margaret marina market marlboro martin
  master matrix matthew maverick melissa mercedes merlin metallica michael michelle mickey midnight monday monkey
  monster morgan motdepasse mustang mynameis mypassword naruto nascar natalie nathan newyork nicholas nicole ninja
  nothing october oliver orange pakistan passion passpass passport passwd password passwordpassword passwort patrick
  peaches peanut pepper phoenix pokemon police porsche portugal precious princess princesa private pumpkin purple qazwsx
  qazwsxedc qwaszx zaqwsx qweasd qweasdzxc qweqwe qweqweqwe qwer qwerqwer qwert qwerty qwertyu qwertyui qwertyuiop qwertz
  qwertzuiop rainbow ranger raiders rangers realmadrid rebecca remember richard robert robot ronaldo rootroot samantha
  samsung samuel sandra school scooby scorpion scotland secret security september shadow sebastian shannon silver
  simple slipknot snickers snoopy snowball soccer solomon spartan special spiderman spongebob squirt starwars startrek
  steelers stephanie steven strawberry success summer sunday sunflower sunshine superman superstar sweetheart swordfish
  taylor tequila test testing tester testtest thailand thomas thuglife thunder tigers tigger tinkerbell together trinity
  trustno trustnoone tweety unknown user valentina vanessa veronica victoria vincent welcome westside whatever william
  windows winner winter wolfgang xbox yamaha yankees yellow yourpassword zaqwsx zxcasd zxcasdqwe zxcv zxcvbn zxcvbnm
  `
    .trim()
    .split(/\s+/),
);

/**
 * Common passwords of digits that are neither in order nor repeated: patterns on the keypad, mirrored runs, constants.
 */
export const commonNumbers: ReadonlySet<string> = new Set(
  `
  102030 10203040 1020304050 112358 11235813 1123581321 123321 12332112 1233210 12344321 1234554321 123454321 123456654321
  12345687 123456987 12345698 123654 1236547 12365478 123654789 123789 123789456 123987 13579 1357924680 135792468 135790
  135798642 142536 14253678 142857 147258 14725836 147258369 147852 147852369 147896325 1472583690 159263 159357 15935728
  159753 159753456 1597534682 159951 15995112 2468 24680 246810 24681012 2468013579 258456 27182818 314159 3141592 31415926
  314159265 3141592654 321456 321654 32165498 321654987 369258147 456123 456123789 456789123 456852 456987 654123 741258
  741258963 741852 74185296 741852963 753159 753951 75395182 789456 78945612 789456123 7894561230 852456 951357 951753
  963852 96385274 963852741 987123 987456321 98745632 987321 987654
  `
    .trim()
    .split(/\s+/),
);
