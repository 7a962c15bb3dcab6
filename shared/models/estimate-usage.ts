import type { ConversationTurn, ModelRequest, ModelUsage } from "../domain/model/language-models.ts";

const charactersPerToken = 4;

/**
 * Providers shrink pictures to some 1.2 megapixels.
 *
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs
 */
const tokensPerPicture = 1_600;

/** The output of a call without a bound of its own. */
const outputTokensUsual = 4_096;

/** The tokens that a call may have taken whose reply cannot be read. */
export function estimateUsage({ system, turns, choice }: ModelRequest): ModelUsage {
  const parts = turns.map(partsOf);
  const characters = parts.reduce((sum, part) => sum + part.characters, system.length);
  const pictures = parts.reduce((sum, part) => sum + part.pictures, 0);
  return {
    inputTokens: Math.ceil(characters / charactersPerToken) + pictures * tokensPerPicture,
    outputTokens: choice.maxOutputTokens ?? outputTokensUsual,
    cachedTokens: 0,
  };
}

function partsOf(turn: ConversationTurn): { readonly characters: number; readonly pictures: number } {
  switch (turn.role) {
    case "model":
      return { characters: JSON.stringify(turn.content).length, pictures: 0 };
    case "results":
      return {
        characters: turn.results.reduce((sum, { text }) => sum + text.length, 0),
        pictures: turn.results.filter(({ picture }) => picture !== undefined).length,
      };
    case "user": {
      const texts = turn.parts.filter((part) => typeof part === "string");
      return {
        characters: texts.reduce((sum, text) => sum + text.length, 0),
        pictures: turn.parts.length - texts.length + turn.pictures.length,
      };
    }
  }
}
