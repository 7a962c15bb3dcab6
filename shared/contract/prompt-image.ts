import * as z from "zod";
import { base64Content } from "./fields/base64.ts";
import { listOf, pageQuery, Uuid } from "./fields/common.ts";
import { FileName } from "./fields/text.ts";
import { filesBytesMax } from "./run/file-inputs.ts";

export const PromptImagePath = z.strictObject({ image_id: Uuid.describe("The image's `id`.") });

export const PromptImagesQuery = z.strictObject({ ...pageQuery });

export const CreatePromptImageBody = z
  .strictObject({
    filename: FileName.describe(
      "For people; one that ends in .png, .jpg, .jpeg, .gif or .webp has to be that.",
    ),
    content: base64Content(filesBytesMax).describe(
      "Base64 of a PNG, JPEG, GIF or WebP image of at most 4 MB (4,194,304 bytes).",
    ),
  })
  .describe("An image for prompts.");
export type CreatePromptImageBody = z.infer<typeof CreatePromptImageBody>;

export const PromptImage = z
  .strictObject({
    id: z.uuid().describe("By which prompts name it: `![the button](image:<id>)`."),
    filename: z.string().describe("As it was given."),
    content_type: z
      .enum(["image/png", "image/jpeg", "image/gif", "image/webp"])
      .describe("What the content is."),
    size_bytes: z.int().min(0).describe("Of the content."),
    created_at: z.iso.datetime().describe("When it was made."),
    url: z.url().describe("Shows the image to anyone, for a while; never logged."),
    expires_in: z.int().describe("For how long `url` is good, in seconds."),
  })
  .describe("An image that prompts may name, with a fresh link to it.");
export type PromptImage = z.infer<typeof PromptImage>;

export const PromptImageList = listOf(PromptImage, z.never())
  .omit({ included: true })
  .describe("A page of the organization's images.");
export type PromptImageList = z.infer<typeof PromptImageList>;
