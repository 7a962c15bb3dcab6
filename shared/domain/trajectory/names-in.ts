import { type Action, isFilledIn } from "../action/action.ts";
import { placeholdersIn } from "../placeholder/fill-in.ts";

export function textsOf(action: Action): readonly string[] {
  const texts = Object.entries(action).filter(([field]) => isFilledIn(action, field));
  return texts.map(([, text]) => String(text));
}

export function namesIn(action: Action): readonly string[] {
  const output = action.type === "finish" ? [JSON.stringify(action.output ?? null)] : [];
  const placeholders = [...textsOf(action), ...output].flatMap(placeholdersIn);
  return placeholders.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
}
