import { readSelection } from "../read-selection.ts";
import type { XDisplay } from "../x-display.ts";
import type { Recorder } from "./recorder.ts";
import { untilStill } from "./until-still.ts";

/** Keeps the program from looking for services of a desktop session. */
const withoutSession = {
  NO_AT_BRIDGE: "1",
  GSETTINGS_BACKEND: "memory",
  DBUS_SESSION_BUS_ADDRESS: "disabled:",
};

const kinds = { entry: ["--entry"], lines: ["--text-info", "--editable", "--filename=/dev/null"] } as const;

export async function openGtkText(display: XDisplay, kind: keyof typeof kinds): Promise<Recorder> {
  const { window } = await display.openWindow(() =>
    display.start("zenity", [...kinds[kind], "--width=600", "--height=400"], withoutSession),
  );
  const selectAll = async () => {
    await display.press("Control_L", "Home");
    await display.press("Control_L", "Shift_L", "End");
  };
  return {
    focus: () => display.focus(window),
    // Keys come in order: what was typed is there before it is selected.
    // Reads again where it read the selection of `clear`.
    received: (expected) =>
      untilStill(
        async () => (await readSelection(display.name, selectAll, expected === "" ? 500 : 15_000)) ?? "",
        expected,
      ),
    clear: async () => {
      await selectAll();
      await display.press("Delete");
    },
    seenAs: (text) => text,
    close: async () => undefined,
  };
}
