import type { Ids } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { PersonalCall, PersonalPicture } from "../hold/personal-actions.ts";
import { changedParts, isMoreThanCaret } from "../picture/changes.ts";
import { paintOver } from "../picture/edit-picture.ts";
import { isSameSize, type Picture, type Size } from "../picture/picture.ts";
import { type PictureCodec, UnreadablePicture } from "../picture/picture-codec.ts";
import { joinedPainted, stillPainted } from "../screen/trail-parts.ts";
import type { Recording } from "./recording.ts";

export interface KeepPicturesDeps {
  readonly files: Pick<FileStore, "stepKey" | "put">;
  readonly pictures: PictureCodec;
  readonly ids: Ids;
}

export interface KeptPicture {
  /** Null for a picture that is stored already. */
  readonly key: string | null;
  readonly size: Size;
  readonly digest: string;
}

interface KeptPictures {
  readonly before: KeptPicture | undefined;
  readonly after: KeptPicture | undefined;
  /** The parts that show a secret after the call. */
  readonly painted: Recording["painted"];
}

/** What shows a secret is painted over until an action changes it. What cannot be found is not kept. */
export async function keepPictures(
  deps: KeepPicturesDeps,
  recording: Recording,
  { before, after }: Pick<PersonalCall, "before" | "after">,
  isSecret: boolean,
): Promise<KeptPictures> {
  const { painted } = recording;
  // A step has a picture of its own, though it changed nothing.
  const of = { ...recording, lastPicture: null };
  if (!isSecret && painted.length === 0) {
    const [first, last] = await Promise.all([
      before && keep(deps, recording, before, before.png),
      after && keep(deps, of, after, after.png),
    ]);
    return { before: first, after: last, painted };
  }
  const [was, is] = [decoded(deps, before), decoded(deps, after)];
  const shown = was && (await keep(deps, recording, was, deps.pictures.encode(paintOver(was, painted))));
  const still = stillPainted(painted, was, is);
  if (!isSecret) {
    const last = is && (await keep(deps, of, is, deps.pictures.encode(paintOver(is, still))));
    return { before: shown, after: last, painted: still };
  }
  if (was === undefined || is === undefined || !isSameSize(was, is)) {
    return { before: shown, after: undefined, painted: still };
  }
  const now = joinedPainted([...still, ...changedParts(was, is).filter(isMoreThanCaret)]);
  const last = await keep(deps, of, is, deps.pictures.encode(paintOver(is, now)));
  return { before: shown, after: last, painted: now };
}

function decoded({ pictures }: KeepPicturesDeps, picture: PersonalPicture | undefined): Picture | undefined {
  try {
    return picture && pictures.decode(picture.png);
  } catch (cause) {
    if (cause instanceof UnreadablePicture) return undefined;
    throw cause;
  }
}

async function keep(
  { files, ids }: KeepPicturesDeps,
  { organizationId, id, lastPicture }: Pick<Recording, "organizationId" | "id" | "lastPicture">,
  { width, height }: Size,
  png: Uint8Array,
): Promise<KeptPicture> {
  const kept = { size: { width, height }, digest: digestOf(png) };
  if (kept.digest === lastPicture) return { ...kept, key: null };
  const key = files.stepKey(organizationId, id, ids.uuid7());
  await files.put(key, png, "image/png");
  return { ...kept, key };
}

/** Computes FNV-1a over the bytes. Source: http://www.isthe.com/chongo/tech/comp/fnv/#FNV-1a */
function digestOf(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${bytes.length}-${(hash >>> 0).toString(16)}`;
}
