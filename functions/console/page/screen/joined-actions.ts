import type { DesktopAction } from "./desktop-action.ts";

const textCharactersMax = 5_000;
const keyGroupsMax = 64;
const scrollMax = 1_000;
const clicksMax = 3;
/** A hand moves a little between two clicks. */
const clickPixels = 4;

type OfType<Type extends DesktopAction["type"]> = Extract<DesktopAction, { readonly type: Type }>;

/** One action that does what both do, or undefined. */
export function joined(first: DesktopAction, second: DesktopAction): DesktopAction | undefined {
  if (first.type === "type" && second.type === "type") return joinedTexts(first, second);
  if (first.type === "key" && second.type === "key") return joinedKeys(first, second);
  if (first.type === "scroll" && second.type === "scroll") return joinedScrolls(first, second);
  if (first.type === "click" && second.type === "click") return joinedClicks(first, second);
  return undefined;
}

function joinedTexts(first: OfType<"type">, second: OfType<"type">): DesktopAction | undefined {
  const areAlike = Object.keys({ ...first, ...second }).every(
    (field) => field === "text" || first[field] === second[field],
  );
  const text = first.text + second.text;
  return areAlike && [...text].length <= textCharactersMax ? { ...first, text } : undefined;
}

function joinedKeys(first: OfType<"key">, second: OfType<"key">): DesktopAction | undefined {
  const text = `${first.text} ${second.text}`;
  return text.split(" ").length <= keyGroupsMax ? { type: "key", text } : undefined;
}

function joinedScrolls(first: OfType<"scroll">, second: OfType<"scroll">): DesktopAction | undefined {
  const amount = first.amount + second.amount;
  const isFurther = first.direction === second.direction && amount <= scrollMax;
  return isFurther ? { ...first, amount } : undefined;
}

function joinedClicks(first: OfType<"click">, second: OfType<"click">): DesktopAction | undefined {
  const clicks = first.clicks + second.clicks;
  const isNear = Math.abs(first.x - second.x) <= clickPixels && Math.abs(first.y - second.y) <= clickPixels;
  return isNear && first.button === second.button && clicks <= clicksMax ? { ...first, clicks } : undefined;
}
