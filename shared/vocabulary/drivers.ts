/**
 * Features that not every driver has, named in its `capabilities`. The service does not request others.
 *
 * `screenshot_settle`: a screenshot's `settle_ms` and `cursor`. `keys_down`: holds and releases keys for `down` of
 * pressKeys. `computer/batch`: several actions, and a screenshot after them, in one request. `fs_manage`: makes
 * folders, and removes files. `moved`: dials the address of a goodbye `moved`, on hosts that its user allows.
 * `long_transfers`: continues a request of `longTransferHeader` past its deadline. `open_program`: opens the programs
 * that its hello names. `screenshot_wait`: a screenshot's `If-None-Match` and `wait_ms`. `single_part_unacknowledged`:
 * an answer of one part needs no `received`; the driver sends it again when the gateway reports a failed frame.
 */
export const driverCapabilities = [
  "screenshot_settle",
  "keys_down",
  "computer/batch",
  "fs_manage",
  "long_transfers",
  "open_program",
  "single_part_unacknowledged",
  "screenshot_wait",
  "moved",
] as const;
export type DriverCapability = (typeof driverCapabilities)[number];

/** The codes of a driver's refusals that the service hands on as `not_supported_by_driver`. */
export const driverRefusals = { unknownPath: "unknown_path", shellDisabled: "shell_disabled" } as const;

export type DesktopActionType =
  | ("click" | "move" | "drag" | "scroll")
  | ("type" | "key" | "open" | "copy_to_clipboard");

/** The first action of a batch that fails is the last that is tried. */
export const actionStatuses = ["done", "failed", "skipped"] as const;
export type ActionStatus = (typeof actionStatuses)[number];

export const ifOpenChoices = ["use", "restart"] as const;
export type IfOpen = (typeof ifOpenChoices)[number];

export const fileWriteModes = ["write", "append"] as const;
export type FileWriteMode = (typeof fileWriteModes)[number];

export const fileReadForms = ["inline", "url"] as const;
export type FileReadForm = (typeof fileReadForms)[number];

/** The value is "true" in a request whose file may take longer to or from the bucket than a call. */
export const longTransferHeader = "x-long-transfer";

/** The driver gives up such a file after this time. */
export const longTransferMsMax = 1_800_000;

export const screenshotPath = "/computer/display/screenshot";

/** The header of a request, and the status of its response, for a picture that the caller has. */
export const ifNoneMatch = "if-none-match";
export const notModified = 304;

/** As many requests for the next picture wait at one driver; a further one gets the present picture. */
export const waitingLooksMax = 2;

/**
 * Bounds of the time between two pings of a driver. Firewalls and NAT gateways drop what was idle for 350 s, and API
 * Gateway closes a connection after 600 s.
 *
 * Source: https://docs.aws.amazon.com/network-firewall/latest/APIReference/API_FlowTimeouts.html
 */
export const pingSecondsMin = 60;
export const pingSecondsMax = 330;

/** Largest text that is copied from a clipboard, and all that one batch copies. */
export const copiedBytesMax = 1_048_576;

/** The largest picture of a display in a driver's answer, in bytes; the service reads no larger one. */
export const pictureBytesMax = 24_000_000;

/** The largest file of a desktop in a request's or a response's body, in bytes before base64: 4 MB. */
export const inlineFileBytesMax = 4_194_304;

/** The largest file of a desktop through the bucket, in bytes: 100 MB. */
export const fileBytesMax = 104_857_600;
