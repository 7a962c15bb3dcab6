import * as z from "zod";
import { imageTypes, promptImageBytesMax } from "../vocabulary/files.ts";
import { base64Content } from "./fields/base64.ts";
import { pageOf, pageQuery, Uuid } from "./fields/common.ts";
import { FileName } from "./fields/text.ts";

export const PromptImagePath = z.strictObject({ image_id: Uuid.describe("The image's id.") });

export const PromptImagesQuery = z.strictObject({ ...pageQuery });

export const CreatePromptImageBody = z
  .strictObject({
    filename: FileName.describe(
      "The image's file name, for people; the content has to fit an ending .png, .jpg, .jpeg, .gif or .webp.",
    ),
    content: base64Content(promptImageBytesMax).describe("The image in base64: a PNG, JPEG, GIF or WebP."),
  })
  .describe("An image that prompts are to show to the model.");
export type CreatePromptImageBody = z.infer<typeof CreatePromptImageBody>;

export const PromptImage = z
  .strictObject({
    id: z.uuid().describe("The image's id, by which prompts name it: `![the button](image:<id>)`."),
    filename: z.string().describe("The image's file name, as it was given."),
    content_type: z.enum(imageTypes).describe("The image's media type, as its content shows it."),
    size_bytes: z.int().min(0).describe("Size of the image in bytes."),
    created_at: z.iso.datetime().describe("Time at which the image was created."),
    url: z
      .url()
      .describe("A presigned URL that shows the image to anyone while it lasts; it is never logged."),
    expires_in: z.int().describe("Time for which `url` can be used, in seconds."),
  })
  .describe("An image that prompts may show to the model, with a fresh link to it.");
export type PromptImage = z.infer<typeof PromptImage>;

export const PromptImageList = pageOf(PromptImage).describe(
  "A page of the organization's prompt images, newest first.",
);
export type PromptImageList = z.infer<typeof PromptImageList>;
