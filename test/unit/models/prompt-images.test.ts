import { expect, it } from "vitest";
import type { ConversationTurn } from "../../../shared/domain/model/language-models.ts";
import { messagesOf } from "../../../shared/models/conversation.ts";

it("shows the user's images where the text has them, each as what it is, and the screen after them", () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const turn: ConversationTurn = {
    role: "user",
    pictures: [{ width: 1, height: 1, png: new Uint8Array([9]) }],
    parts: ["Press ", { contentType: "image/webp", bytes }, " ", { contentType: "image/gif", bytes }, " now"],
  };
  const [message] = messagesOf([turn], { provider: "anthropic", model: "a-model" }, undefined);
  const image = (data: string, mediaType: string) =>
    expect.objectContaining({ type: "file", data: { type: "data", data }, mediaType });
  expect(message).toEqual({
    role: "user",
    content: [
      { type: "text", text: "Press " },
      image("AQID", "image/webp"),
      image("AQID", "image/gif"),
      { type: "text", text: " now" },
      image("CQ==", "image/png"),
    ],
  });
});
