import { XConnection, type XEvent } from "../x-connection.ts";
import type { XDisplay } from "../x-display.ts";

export interface WindowManager {
  readonly activated: readonly number[];
  hide(window: number): void;
  close(): Promise<void>;
}

const [substructureRedirect, substructureNotify] = [0x10_0000, 0x8_0000];
const [replace, windowType] = [0, 33];

/** The part of a window manager that programs need: it maps windows, lists them, and brings them to the front. */
export async function manageWindows(display: XDisplay): Promise<WindowManager> {
  const connection = await XConnection.open(display.name);
  const { root } = connection;
  const activated: number[] = [];
  const listed: number[] = [];
  const [list, check, activate] = await Promise.all(
    ["_NET_CLIENT_LIST", "_NET_SUPPORTING_WM_CHECK", "_NET_ACTIVE_WINDOW"].map((name) =>
      connection.atom(name),
    ),
  );
  const set = (window: number, property: number | undefined, windows: readonly number[]) =>
    connection.send("ChangeProperty", replace, window, property, windowType, 32, windows);
  const own = connection.makeId();
  connection.send("CreateWindow", own, root, -1, -1, 1, 1, 0, 0, 0, 0, { overrideRedirect: true });
  set(root, check, [own]);
  set(own, check, [own]);
  connection.on("event", ({ name, wid, message_type: type }: XEvent) => {
    if (name === "ClientMessage" && type === activate) {
      activated.push(wid);
      connection.send("MapWindow", wid);
    }
    if (name !== "MapRequest") return;
    listed.push(wid);
    connection.send("MapWindow", wid);
    set(root, list, listed);
  });
  connection.send("ChangeWindowAttributes", root, { eventMask: substructureRedirect | substructureNotify });
  await connection.sync();
  return {
    activated,
    hide: (window) => connection.send("UnmapWindow", window),
    close: () => connection.close(),
  };
}
