import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** `styleText` knows nothing of terminals in Node 20: whether there are colours is decided before. */
export function styled(style: Style, text: string, hasColour: boolean): string {
  return hasColour ? styleText(style, text, { validateStream: false }) : text;
}
