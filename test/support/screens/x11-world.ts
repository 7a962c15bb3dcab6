import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import type { MouseButton, ScrollDirection } from "../../../infra/driver/screens/screen.ts";
import { X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import type { ArrivedEvent, ScreenWorld } from "../ports/screen.suite.ts";
import { ownClipboard } from "../x-display/programs/clipboard-owner.ts";
import { EventWindow, type InputEvent } from "../x-display/programs/event-window.ts";
import { XDisplay } from "../x-display/x-display.ts";

const size = { width: 1280, height: 800 };
const buttons: Readonly<Record<number, MouseButton>> = { 1: "left", 2: "middle", 3: "right" };
const wheel: Readonly<Record<number, ScrollDirection>> = { 4: "up", 5: "down", 6: "left", 7: "right" };

export interface X11World extends ScreenWorld {
  readonly display: XDisplay;
  readonly screen: X11Screen;
  readonly window: EventWindow;
  close(): Promise<void>;
}

export async function openX11World(): Promise<X11World> {
  const display = await XDisplay.open(size.width, size.height);
  const screen = await X11Screen.open({ display: display.name });
  const window = await EventWindow.open(display, { x: 0, y: 0, ...size });
  await window.focus();
  const { keysyms } = await display.keymap();
  const unmodified = (keycode: number) => keysyms[keycode - display.connection.keycodes.first]?.[0] ?? 0;
  let owner: { close(): Promise<void> } | undefined;
  return {
    desktop: createLocalDesktop({ screen, root: "/nowhere", allowShell: false }),
    size,
    display,
    screen,
    window,
    async observe() {
      await window.settle();
      const arrived = { events: toArrived(window.events, unmodified), text: window.typed };
      window.clear();
      return arrived;
    },
    async offerToCopy(text) {
      owner = await ownClipboard(display.name, text);
    },
    async close() {
      await owner?.close();
      await screen.close();
      await window.close();
      await display.close();
    },
  };
}

function toArrived(
  events: readonly InputEvent[],
  unmodified: (keycode: number) => number,
): readonly ArrivedEvent[] {
  const arrived: ArrivedEvent[] = [];
  for (const { name, detail, x, y } of events) {
    const at = { x, y };
    if (name === "KeyPress" || name === "KeyRelease") {
      arrived.push({ kind: "key", keysym: unmodified(detail), down: name === "KeyPress" });
    }
    const button = buttons[detail];
    if (button !== undefined && (name === "ButtonPress" || name === "ButtonRelease")) {
      arrived.push({ kind: "button", button, down: name === "ButtonPress", at });
    }
    const direction = wheel[detail];
    if (direction === undefined || name !== "ButtonPress") continue;
    const last = arrived.at(-1);
    const isSameTurn = last?.kind === "scroll" && last.direction === direction;
    if (isSameTurn) arrived[arrived.length - 1] = { ...last, amount: last.amount + 1 };
    else arrived.push({ kind: "scroll", direction, amount: 1, at });
  }
  return arrived;
}
