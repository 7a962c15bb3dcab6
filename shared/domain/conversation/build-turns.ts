import { promptImageBytesMax } from "../../vocabulary/files.ts";
import type { CallResult, ConversationTurn, ModelPicture, PromptPicture } from "../model/language-models.ts";
import { modelWords } from "../model/model-words.ts";
import { downscale } from "../picture/downscale.ts";
import { clip, crop, isSameSize, type Size } from "../picture/picture.ts";
import { type PromptImage, partsOfPrompt } from "../prompt-image/prompt-image.ts";
import { type Exchange, type KeptPicture, memoryOf, type Told } from "./conversation.ts";
import type { ConversingRun } from "./conversing-run.ts";

/** Pictures become words in groups, so that the cached prefix stays. */
const picturesMax = 10;
const wordsAtOnce = 8;

export async function buildTurns(
  run: ConversingRun,
  exchanges: readonly Exchange[],
  told: readonly Told[],
  sizeMax: number,
): Promise<readonly ConversationTurn[]> {
  const all = [...exchanges.flatMap((exchange) => exchange.told), ...told].flatMap(picturesIn);
  let inWords = earlierPictures(all.length, run.plan.workflow.keepScreenshots);
  const shown = async (picture: KeptPicture | null) => {
    if (picture === null) return { words: "", picture: undefined };
    inWords -= 1;
    if (inWords >= 0) return { words: `\n${modelWords.earlierPicture}`, picture: undefined };
    return { words: "", picture: await sentPicture(run, picture, sizeMax) };
  };
  const turnOf = async (each: Told): Promise<ConversationTurn> => {
    if (each.role === "user") {
      const { words, picture } = await shown(each.picture);
      const parts = await withImages(run, each.text + words);
      return { role: "user", parts, pictures: picture === undefined ? [] : [picture] };
    }
    const results: CallResult[] = [];
    for (const { picture: kept, text, ...result } of each.results) {
      const { words, picture } = await shown(kept);
      results.push({ ...result, text: text + words, picture });
    }
    return { role: "results", results };
  };
  const turns: ConversationTurn[] = [];
  for (const exchange of exchanges) {
    for (const each of exchange.told) turns.push(await turnOf(each));
    if (exchange.reply.kind === "replied") turns.push(exchange.reply.turn);
  }
  for (const each of told) turns.push(await turnOf(each));
  return turns;
}

function picturesIn(told: Told): readonly KeptPicture[] {
  const pictures = told.role === "user" ? [told.picture] : told.results.map(({ picture }) => picture);
  return pictures.filter((picture) => picture !== null);
}

function earlierPictures(count: number, areKept: boolean): number {
  if (!areKept) return Math.max(0, count - 1);
  if (count <= picturesMax) return 0;
  return wordsAtOnce * Math.floor((count - (picturesMax - wordsAtOnce + 1)) / wordsAtOnce);
}

export function sentSize({ width, height }: Size, sizeMax: number): Size {
  const share = Math.min(1, sizeMax / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * share)),
    height: Math.max(1, Math.round(height * share)),
  };
}

async function sentPicture(
  run: ConversingRun,
  { key, part }: KeptPicture,
  sizeMax: number,
): Promise<ModelPicture> {
  const { keepScreenshots } = run.plan.workflow;
  const { sent } = memoryOf(run);
  const name = JSON.stringify([key, part, sizeMax]);
  const known = keepScreenshots ? sent.get(name) : undefined;
  if (known !== undefined) return known;
  const { png, picture: screen } = await run.getPicture(key);
  const clipped = part === null ? undefined : clip(screen, part);
  const picture = clipped === undefined ? screen : crop(screen, clipped);
  const size = sentSize(picture, sizeMax);
  const isSame = isSameSize(size, picture);
  const own = isSame ? picture : downscale(picture, size);
  const made = { ...size, png: isSame && clipped === undefined ? png : run.deps.pictures.encode(own) };
  for (const oldest of [...sent.keys()].slice(0, Math.max(0, sent.size - picturesMax))) sent.delete(oldest);
  sent.set(name, made);
  return made;
}

async function withImages(run: ConversingRun, text: string): Promise<readonly (string | PromptPicture)[]> {
  const images = run.plan.model?.images ?? [];
  if (images.length === 0) return [text];
  const parts: (string | PromptPicture)[] = [];
  for (const part of partsOfPrompt(text)) {
    if (typeof part === "string") {
      parts.push(part);
      continue;
    }
    const shown = images.find(({ id }) => id === part.imageId)?.shown;
    // Images that an input's text names are not the prompt's.
    if (shown === undefined) parts.push(`![](image:${part.imageId})`);
    else if (shown === "too_many") parts.push(modelWords.imageTooMany);
    else parts.push((shown === "gone" ? undefined : await readImage(run, shown)) ?? modelWords.imageGone);
  }
  return parts;
}

async function readImage(
  run: ConversingRun,
  { key, contentType }: Pick<PromptImage, "key" | "contentType">,
): Promise<PromptPicture | undefined> {
  const { images } = memoryOf(run);
  const bytes = images.get(key) ?? (await run.deps.files.get(key, promptImageBytesMax));
  if (bytes === undefined) return undefined;
  images.set(key, bytes);
  return { contentType, bytes };
}
