/** Every path that a whole desktop serves; a local server behind the driver is taken to serve them all. */
export const COMPUTER_PATHS: readonly string[] = [
  "/computer/display/dimensions",
  "/computer/display/screenshot",
  "/computer/input/mouse/position",
  "/computer/input/mouse/move",
  "/computer/input/mouse/click",
  "/computer/input/mouse/drag",
  "/computer/input/mouse/scroll",
  "/computer/input/keyboard/type",
  "/computer/input/keyboard/key",
  "/computer/copy_to_clipboard",
  "/computer/fs/list",
  "/computer/fs/read",
  "/computer/fs/write",
  "/computer/shell/exec",
];
