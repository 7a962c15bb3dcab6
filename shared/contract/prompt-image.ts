import * as z from "zod";
import { imageTypes, promptImageBytesMax } from "../vocabulary/files.ts";
import { base64Content } from "./fields/base64.ts";
import { pageQuery, queryInt } from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { FileName, text } from "./fields/text.ts";

/** The query of the paths that other services have. */
export const PromptImageAtPathQuery = z.strictObject({
  path: example(text(1, 1_024), "0198c5f2-7c1a-7e3b-8d44-3f6a0b9c1d2e").describe(
    "The image's `path`, which is its id, or the reference `image:<id>`.",
  ),
});

/** An organization has no more images than that. */
const imagesMax = 1_000;

export const PromptImagesQuery = z.strictObject({
  skip: pageQuery.skip,
  limit: example(queryInt(1, imagesMax).default(imagesMax), imagesMax).describe(
    "Largest number of images in the response. By default all of them are.",
  ),
});

export const PromptImageForm = z
  .strictObject({
    file: z
      .string()
      .meta({ wire: { type: "string", format: "binary" } })
      .describe("The image with its file name: a PNG, JPEG, GIF or WebP of at most 4 MB (4,194,304 bytes)."),
  })
  .describe("A form with an image that prompts are to show to the model.");

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
    path: z.uuid().describe("The same as `id`, for the operations that name an image by its path."),
    supabase_url: example(z.string(), "image:0198c5f2-7c1a-7e3b-8d44-3f6a0b9c1d2e").describe(
      "The reference by which a prompt's `<img src>` names the image: `image:<id>`. The field's name is that of another service.",
    ),
    signed_url: z.url().describe("The same as `url`."),
    url: z
      .url()
      .describe("A presigned URL that shows the image to anyone while it lasts; it is never logged."),
    expires_in: z.int().describe("Time for which `url` can be used, in seconds."),
  })
  .describe("An image that prompts may show to the model, with a fresh link to it.");
export type PromptImage = z.infer<typeof PromptImage>;
