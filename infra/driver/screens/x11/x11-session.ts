import { Clipboard } from "./clipboard.ts";
import { DisplayConnection } from "./display-connection.ts";
import { DriverMarks } from "./driver-marks.ts";
import { type FakeInput, openFakeInput } from "./fake-input.ts";
import { FocusedProgram } from "./focused-program.ts";
import { Keyboard } from "./keyboard.ts";
import { Monitors } from "./monitors.ts";
import { Pointer } from "./pointer.ts";
import { ProgramWindows } from "./programs/program-windows.ts";
import { ScreenCapture } from "./screen-capture.ts";

export interface X11Session {
  readonly connection: DisplayConnection;
  readonly input: FakeInput;
  readonly keyboard: Keyboard;
  readonly pointer: Pointer;
  readonly clipboard: Clipboard;
  readonly capture: ScreenCapture;
  readonly monitors: Monitors;
  readonly marks: DriverMarks;
  readonly windows: ProgramWindows;
}

/** Undoes what a crashed driver has left. @throws {DisplayUnavailable} */
export async function openX11Session(display: string): Promise<X11Session> {
  const connection = await DisplayConnection.open(display);
  try {
    connection.client.ChangeWindowAttributes(connection.root, {
      eventMask: Monitors.eventMask | FocusedProgram.eventMask,
    });
    const [input, marks, monitors, clipboard, capture] = await Promise.all([
      openFakeInput(connection),
      DriverMarks.of(connection),
      Monitors.of(connection),
      Clipboard.of(connection),
      ScreenCapture.of(connection),
    ]);
    const windows = new ProgramWindows(connection);
    const keyboard = await Keyboard.of({ connection, input, marks });
    const pointer = new Pointer({ connection, input, marks, monitors });
    const devices = { input, keyboard, pointer, clipboard };
    const session = { connection, ...devices, capture, monitors, marks, windows };
    const left = await marks.readLeft();
    marks.note(left);
    await giveBackAll(session);
    return session;
  } catch (error) {
    connection.close();
    throw error;
  }
}

export async function giveBackAll({ connection, input, keyboard, marks }: X11Session): Promise<void> {
  const { held, lockedModifiers } = marks.current;
  for (const { kind, detail } of held.toReversed()) input[kind](detail, false);
  marks.noteUp(held);
  await keyboard.giveBackUnheld();
  if (lockedModifiers !== 0) keyboard.putLocksBack(lockedModifiers);
  await connection.sync();
}
