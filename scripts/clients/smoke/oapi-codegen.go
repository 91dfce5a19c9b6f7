// A person's first steps, with the client that oapi-codegen makes as the package `parley`.
package main

import (
	"bytes"
	"context"
	"log"
	"mime/multipart"
	"net/http"
	"os"

	"clients/parley"
)

func main() {
	url, username := os.Args[1], os.Args[2]
	ctx := context.Background()

	var token string
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("authorization", "Bearer "+token)
		}
		return nil
	}
	api, err := parley.NewClientWithResponses(url, parley.WithRequestEditorFn(authorize))
	must(err)

	signedUp, err := api.SignUpWithResponse(ctx, parley.SignUpJSONRequestBody{Username: username, Password: "a long password"})
	must(err)
	token = signedUp.JSON200.Result.Token

	title, usernames := "Smoke", []string{}
	group, err := api.StartChatWithResponse(ctx, parley.StartChatJSONRequestBody{Usernames: &usernames, Title: &title})
	must(err)
	chat := group.JSON200.Result.Id

	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "hello.txt")
	must(err)
	_, err = part.Write([]byte("hello"))
	must(err)
	must(writer.Close())
	uploaded, err := api.UploadFileWithBodyWithResponse(ctx, writer.FormDataContentType(), &form)
	must(err)

	attachments := []parley.AttachmentInput{{Id: &uploaded.JSON200.Result.Id}}
	sent, err := api.SendMessageWithResponse(ctx, parley.SendMessageJSONRequestBody{ChatId: chat, Text: "Hello", Attachments: &attachments})
	must(err)
	if sent.JSON200 == nil {
		log.Fatal(string(sent.Body))
	}

	page, err := api.GetChatHistoryWithResponse(ctx, parley.GetChatHistoryJSONRequestBody{ChatId: chat})
	must(err)
	items := page.JSON200.Result.Items
	if len(items) != 1 || items[0].Content != "Hello" || *items[0].Attachments[0].Name != "hello.txt" {
		log.Fatal(string(page.Body))
	}

	refused, err := api.SendMessageWithResponse(ctx, parley.SendMessageJSONRequestBody{ChatId: chat, Text: ""})
	must(err)
	if refused.JSON400 == nil || refused.JSON400.ErrorCode != parley.ApiErrorErrorCodeInvalidArgument {
		log.Fatal(string(refused.Body))
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
