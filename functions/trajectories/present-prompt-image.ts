import type { PromptImage as WireImage } from "../../shared/contract/prompt-image.ts";
import type { PresignedRequest } from "../../shared/domain/file-store.ts";
import type { PromptImage } from "../../shared/domain/prompt-image/prompt-image.ts";

export function presentPromptImage(image: PromptImage, link: PresignedRequest): WireImage {
  return {
    id: image.id,
    filename: image.filename,
    content_type: image.contentType,
    size_bytes: image.sizeBytes,
    created_at: image.createdAt,
    path: image.id,
    supabase_url: `image:${image.id}`,
    signed_url: link.url,
    url: link.url,
    expires_in: link.expiresInSeconds,
  };
}
