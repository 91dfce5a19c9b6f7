"""A person's first steps, with the client that openapi-python-client makes as the package `parley_api`."""

import io
import sys

from parley_api import AuthenticatedClient, Client
from parley_api.api.accounts_and_sessions import sign_up
from parley_api.api.conversations import start_chat
from parley_api.api.files import upload_file
from parley_api.api.messages import get_chat_history, send_message
from parley_api.models import (
    ApiError,
    ApiErrorErrorCode,
    AttachmentInput,
    GetChatHistoryBody,
    GetChatHistoryResponse200,
    SendMessageBody,
    SendMessageResponse200,
    SignUpBody,
    SignUpResponse200,
    StartChatBody,
    StartChatResponse200,
    UploadFileBody,
    UploadFileResponse200,
)
from parley_api.types import File

url, username = sys.argv[1:]

signed_up = sign_up.sync(client=Client(base_url=url), body=SignUpBody(username=username, password="a long password"))
assert isinstance(signed_up, SignUpResponse200), signed_up
client = AuthenticatedClient(base_url=url, token=signed_up.result.token)

group = start_chat.sync(client=client, body=StartChatBody(usernames=[], title="Smoke"))
assert isinstance(group, StartChatResponse200), group
chat_id = group.result.id
assert group.result.description is None

file = File(payload=io.BytesIO(b"hello"), file_name="hello.txt", mime_type="text/plain")
uploaded = upload_file.sync(client=client, body=UploadFileBody(file=file))
assert isinstance(uploaded, UploadFileResponse200), uploaded

body = SendMessageBody(chat_id=chat_id, text="Hello", attachments=[AttachmentInput(id=uploaded.result.id)])
sent = send_message.sync(client=client, body=body)
assert isinstance(sent, SendMessageResponse200), sent

page = get_chat_history.sync(client=client, body=GetChatHistoryBody(chat_id=chat_id))
assert isinstance(page, GetChatHistoryResponse200), page
assert [(message.content, message.attachments[0].name) for message in page.result.items] == [("Hello", "hello.txt")]

refused = send_message.sync(client=client, body=SendMessageBody(chat_id=chat_id, text=""))
assert isinstance(refused, ApiError), refused
assert refused.error_code == ApiErrorErrorCode.INVALID_ARGUMENT
