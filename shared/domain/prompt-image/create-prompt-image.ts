import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { limitReached } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import { imageTypeOf, imageTypeOfName, type PromptImage, promptImagesMax } from "./prompt-image.ts";
import type { PromptImageDeps } from "./prompt-image-deps.ts";

export interface CreatePromptImageInput {
  readonly filename: string;
  readonly content: Uint8Array;
  /** The field of the request that has the content. @default content */
  readonly field?: string;
}

/** @throws {InvalidInput} for content that is not such an image. @throws {DomainError} `limit_reached` */
export async function createPromptImage(
  deps: PromptImageDeps,
  caller: Caller,
  { filename, content, field = "content" }: CreatePromptImageInput,
  idempotency?: Idempotency,
): Promise<PromptImage> {
  requireScope(caller, "write");
  const { organizationId, userId } = caller;
  const contentType = imageTypeOf(content);
  const named = imageTypeOfName(filename) ?? contentType;
  if (contentType === undefined || contentType !== named) throw noSuchImage(field, named);
  return await withLease(deps, idempotency, async (leased) => {
    const id = leased?.ids[0] ?? deps.ids.uuid7();
    const objectId = leased?.ids[1] ?? deps.ids.uuid7();
    const key = deps.files.spillKey(organizationId, "prompt_image", id, "content", objectId);
    const createdAt = isoTimestamp(deps.clock.now());
    const sizeBytes = content.byteLength;
    const image: PromptImage = {
      id,
      organizationId,
      userId,
      filename,
      contentType,
      sizeBytes,
      key,
      createdAt,
    };
    await deps.files.put(key, content, contentType);
    if ((await deps.promptImages.create(image, leased)) === "created") return image;
    await deps.files.remove(key);
    throw limitReached("prompt images", promptImagesMax);
  });
}

function noSuchImage(field: string, named: string | undefined): InvalidInput {
  const error =
    named === undefined ? "it is no PNG, JPEG, GIF or WebP image" : `it is no ${named}, as its name says`;
  return new InvalidInput([valueError(["body", field], error)]);
}
