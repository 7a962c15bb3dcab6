import type { ModelChoice } from "../domain/model/model-choice.ts";

type Named = Pick<ModelChoice, "provider" | "model">;

export type ComputerTool = "computer_toolset_20260801" | "computer_20251124" | "computer_20250124";

/**
 * Anthropic's own computer tool by model; other models get the function tools.
 *
 * Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool, "API support" and "Earlier tool versions".
 */
const computerTools: readonly (readonly [RegExp, ComputerTool])[] = [
  [/^claude-(fable|mythos|opus|sonnet|haiku)-5(-|$)|^claude-opus-4-8(-|$)/, "computer_toolset_20260801"],
  [/^claude-opus-4-[567](-|$)|^claude-sonnet-4-6(-|$)/, "computer_20251124"],
  [/^claude-(opus-4-1|sonnet-4-5|haiku-4-5)(-|$)/, "computer_20250124"],
];

export function computerToolOf({ provider, model }: Named): ComputerTool | undefined {
  if (provider !== "anthropic") return undefined;
  return computerTools.find(([names]) => names.test(model))?.[1];
}

const unknownSizeMax = 1280;

/**
 * The longer side of a picture, in pixels, that stays unscaled in any shape. Claude's newer models accept 2,576 pixels
 * on the longer side and 3.75 megapixels in all, the ones before them 1,568 and 1.15. OpenAI's `high` detail cuts none
 * of 2,500 patches of 32 x 32 from GPT-5.4 on.
 *
 * Sources: https://platform.claude.com/docs/en/build-with-claude/vision ("Image size"), https://platform.openai.com/docs/guides/images-vision ("Choose an image detail level").
 */
const sizesMax: readonly (readonly [RegExp, number])[] = [
  [/claude-(fable|mythos|opus|sonnet|haiku)-5(-|$)|claude-opus-4-[78](-|$)/, 1920],
  [/^gpt-(5\.[4-9]|[6-9])/, 1600],
];

export function pictureSizeMax({ model }: Named): number {
  return sizesMax.find(([names]) => names.test(model))?.[1] ?? unknownSizeMax;
}

/**
 * Returns whether a model on Bedrock accepts cache points; others refuse the whole request.
 *
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html, "Supported models".
 */
export function takesCachePoints(model: string): boolean {
  return /anthropic\.claude|amazon\.nova/.test(model);
}
