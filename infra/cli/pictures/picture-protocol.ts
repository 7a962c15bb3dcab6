import type { Terminal } from "../terminal/terminal.ts";

export type PictureProtocol = "kitty" | "iterm2" | "sixel";

export interface PictureSupport {
  readonly protocol: PictureProtocol;
  /** The widest picture that the terminal shows without cutting it, in pixels; the other protocols scale themselves. */
  readonly widthMax?: number;
}

/** A question about pictures, and one about the terminal's kind, to which every terminal responds: then the first is over. */
const kittyQuestion = "\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\";
const kindQuestion = "\u001b[c";
const sizeQuestion = "\u001b[14t";
const sixelFeature = "4";
const timeoutMs = 400;
/** A terminal that does not say how wide it is has at least some eighty columns of eight pixels. */
const sixelWidthDefault = 640;

/**
 * Asks the terminal itself, since the environment is also that of programs that run inside of another terminal.
 *
 * Sources: https://sw.kovidgoyal.net/kitty/graphics-protocol/#querying-support-and-available-transmission-mediums,
 * https://vt100.net/docs/vt510-rm/DA1.html, https://iterm2.com/documentation-images.html
 */
export async function findPictureSupport(terminal: Terminal): Promise<PictureSupport | undefined> {
  const { environment, columns, isInteractive } = terminal;
  if (columns === undefined || !isInteractive || environment.TERM === "dumb") return undefined;
  const { TMUX, STY, ZELLIJ } = environment;
  const isInside = [TMUX, STY, ZELLIJ].some((value) => value !== undefined && value !== "");
  if (!isInside && isITerm(environment)) return { protocol: "iterm2" };
  const response = await terminal.askTerminal({
    text: `${isInside ? "" : kittyQuestion}${kindQuestion}`,
    isWhole: (text) => kindOf(text) !== undefined,
    timeoutMs,
  });
  if (response.includes("\u001b_Gi=31;OK")) return { protocol: "kitty" };
  if (kindOf(response)?.includes(sixelFeature) !== true) return undefined;
  const size = await terminal.askTerminal({
    text: sizeQuestion,
    isWhole: (text) => widthOf(text) !== undefined,
    timeoutMs,
  });
  return { protocol: "sixel", widthMax: widthOf(size) ?? sixelWidthDefault };
}

function isITerm({ TERM_PROGRAM, LC_TERMINAL }: Terminal["environment"]): boolean {
  return TERM_PROGRAM === "iTerm.app" || LC_TERMINAL === "iTerm2";
}

/** The features of `ESC [ ? 62 ; 4 c`. */
function kindOf(response: string): readonly string[] | undefined {
  const start = response.indexOf("\u001b[?");
  const found = start < 0 ? null : /^[\d;]*(?=c)/.exec(response.slice(start + 3));
  return found?.[0].split(";");
}

/** The width of `ESC [ 4 ; height ; width t`. */
function widthOf(response: string): number | undefined {
  const start = response.indexOf("\u001b[4;");
  const width = start < 0 ? undefined : /^\d+;(\d+)t/.exec(response.slice(start + 4))?.[1];
  return width === undefined || Number(width) === 0 ? undefined : Number(width);
}
