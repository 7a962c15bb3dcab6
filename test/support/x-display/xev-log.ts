/** The events that `xev` has printed, each as its lines. */
function eventsOf(log: string, kind: "ButtonPress" | "KeyPress"): readonly string[] {
  return log.split("\n\n").filter((event) => new RegExp(`^${kind}`, "m").test(event));
}

/** How often that button was pressed: 4, 5, 6 and 7 are the wheel up, down, left and right. */
export function buttonPresses(log: string, button: number): number {
  return eventsOf(log, "ButtonPress").filter((event) => event.includes(`button ${button},`)).length;
}

/** Where on the display the last button was pressed, as xev writes it: `root:(10,20)`. */
export function lastButtonPlace(log: string): string | undefined {
  return /root:\(-?\d+,-?\d+\)/.exec(eventsOf(log, "ButtonPress").at(-1) ?? "")?.[0];
}

/** The text of the key presses, as xev's client would have read it. */
export function typedText(log: string): string {
  return eventsOf(log, "KeyPress")
    .map((event) => /XLookupString gives \d+ bytes: \([0-9a-f ]+\) "([\s\S]*?)"$/m.exec(event)?.[1] ?? "")
    .join("");
}
