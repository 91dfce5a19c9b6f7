"""A person's first steps, with the client for Python that openapi-generator makes as the package `parley_api`."""

import sys

import parley_api
from parley_api.exceptions import BadRequestException

url, username = sys.argv[1:]

configuration = parley_api.Configuration(host=url)
with parley_api.ApiClient(configuration) as client:
    signed_up = parley_api.AccountsAndSessionsApi(client).sign_up(
        parley_api.SignUpRequest(username=username, password="a long password")
    )
    configuration.access_token = signed_up.result.token
    group = parley_api.ConversationsApi(client).start_chat(parley_api.StartChatRequest(usernames=[], title="Smoke"))
    chat_id = group.result.id
    uploaded = parley_api.FilesApi(client).upload_file(("hello.txt", b"hello"))
    messages = parley_api.MessagesApi(client)
    attachment = parley_api.AttachmentInput(id=uploaded.result.id)
    messages.send_message(parley_api.SendMessageRequest(chat_id=chat_id, text="Hello", attachments=[attachment]))
    page = messages.get_chat_history(parley_api.GetChatHistoryRequest(chat_id=chat_id))
    assert [(message.content, message.attachments[0].name) for message in page.result.items] == [("Hello", "hello.txt")]
    try:
        messages.send_message(parley_api.SendMessageRequest(chat_id=chat_id, text=""))
        raise AssertionError("an empty message was taken")
    except BadRequestException as error:
        assert error.data.error_code == "invalid_argument", error
