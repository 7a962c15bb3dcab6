import * as computer from "../computer/computer.ts";
import { BatchBody, BatchResponse } from "../computer/computer-batch.ts";
import * as system from "../computer/computer-system.ts";
import { defineOperations, largeBodyBytesMax } from "./operation.ts";

const common = {
  isReadAhead: true,
  access: "bearer",
  isTunnelled: true,
  refusals: {
    409: "`machine_not_connected`, `not_supported_by_driver`: nothing was done.",
    413: "`answer_too_large`, or the body is too large.",
    502: "`driver_connection_lost` (it may have happened), `driver_failed`; `driver_rejected` for the driver's own 401 and 403.",
    504: "`driver_timeout` (it may have happened), `outcome_unknown`.",
  },
} as const;
const looking = { ...common, scopes: ["read", "worker"], method: "GET" } as const;
const acting = {
  ...common,
  scopes: ["write", "worker"],
  method: "POST",
  idempotency: "leased",
  refusals: {
    ...common.refusals,
    409: `${common.refusals[409]} \`assignment_mismatch\`: the \`Assignment-Id\` is not that of the machine's run, or no worker carries it out; nothing was done.`,
  },
} as const;
/** Reading files requires the scopes of acting, because a file can contain a driver's key. */
const readingFiles = { ...looking, scopes: acting.scopes } as const;
const pictureTag = {
  description: "Differs whenever the picture does; send it back as `If-None-Match`.",
} as const;
const done = {
  200: { description: "The desktop has performed the action.", schema: computer.ActionDone },
} as const;

export const computerOperations = defineOperations("Computer", [
  {
    ...looking,
    id: "getDisplayDimensions",
    path: "/v1/computer/{machine_id}/display/dimensions",
    summary: "Reads the display's size",
    responses: { 200: { description: "The display's size in pixels.", schema: computer.Dimensions } },
  },
  {
    ...looking,
    id: "takeScreenshot",
    path: "/v1/computer/{machine_id}/display/screenshot",
    summary: "Takes a screenshot",
    description:
      "The picture has the display's own size, or is scaled to `width` and `height` pixels; one alone keeps the shape. At most 4.4 MB. With `settle_ms` the driver waits until two frames in a row are the same (at most 0.02 % of the pixels differ, all within one box of 4 x 40: a cursor that blinks), or the time is over. `cursor` draws the pointer in. A driver that does not name `screenshot_settle` does neither.\n\nTo follow a screen, send the picture's `ETag` as `If-None-Match`, with `wait_ms`: the response comes when the screen differs and is still (for `settle_ms`, or else a tenth of a second at most), or as a 304 when the time is over. A text cursor that blinks ends no wait. A scaled picture's `ETag` changes whenever the whole screen does, and says nothing about a picture of another `width`, `height` or `cursor`. Without `If-None-Match` the response comes at once. Two requests wait at a machine, and a number at an organization's; a further one gets what is there, as does one for a driver that does not name `screenshot_wait`. A 304 that did not wait has `Retry-After`.",
    query: computer.ScreenshotQuery,
    responses: {
      200: {
        description: "The picture.",
        contentType: "image/png",
        headers: {
          ETag: pictureTag,
          [computer.screenSettledHeader]: {
            description:
              "Whether the screen was still (`true`) or the time was over before (`false`); present with `settle_ms`.",
          },
        },
      },
      304: {
        description:
          "The screen still shows a picture that `If-None-Match` names; no request log has such a request.",
        headers: {
          ETag: pictureTag,
          "Retry-After": {
            description:
              "Seconds after which to look again; present if `wait_ms` is given and was not waited for.",
          },
        },
      },
    },
  },
  {
    ...looking,
    id: "getMousePosition",
    path: "/v1/computer/{machine_id}/input/mouse/position",
    summary: "Reads where the pointer is",
    responses: {
      200: {
        description: "The pointer's place in pixels from the top left corner.",
        schema: computer.Position,
      },
    },
  },
  {
    ...acting,
    id: "moveMouse",
    step: "move",
    path: "/v1/computer/{machine_id}/input/mouse/move",
    summary: "Moves the pointer",
    body: computer.MoveBody,
    example: { x: 200, y: 150 },
    responses: done,
  },
  {
    ...acting,
    id: "clickMouse",
    step: "click",
    path: "/v1/computer/{machine_id}/input/mouse/click",
    summary: "Clicks, presses or releases a mouse button",
    description:
      "The click is where the pointer is, or at x and y. `down` true presses, false releases, absent clicks `clicks` times.",
    body: computer.ClickBody,
    example: { x: 200, y: 150, button: "left", clicks: 2 },
    responses: done,
  },
  {
    ...acting,
    id: "dragMouse",
    step: "drag",
    path: "/v1/computer/{machine_id}/input/mouse/drag",
    summary: "Drags with a mouse button held down",
    description: "`duration` is in seconds.",
    body: computer.DragBody,
    example: { start_x: 10, start_y: 10, to_x: 200, to_y: 150, duration: 0.5 },
    responses: done,
  },
  {
    ...acting,
    id: "scrollMouse",
    step: "scroll",
    path: "/v1/computer/{machine_id}/input/mouse/scroll",
    summary: "Scrolls the mouse wheel",
    description:
      "The wheel is turned by `amount` clicks, 0 does nothing; the pointer is moved to x and y before, when both are given.",
    body: computer.ScrollBody,
    example: { direction: "down", amount: 3, x: 200, y: 150 },
    responses: done,
  },
  {
    ...acting,
    id: "typeText",
    step: "type",
    path: "/v1/computer/{machine_id}/input/keyboard/type",
    summary: "Types text",
    description:
      "Any Unicode text; a line's end is Return, a tab is Tab. A character that no key types, such as a control character, is 422, and nothing is typed. The text is never logged. While its caller records the machine, `{$alias}` types the secret of that name in machine_sensitive_parameters.",
    body: computer.TypeTextBody,
    example: { text: "Hello" },
    responses: done,
  },
  {
    ...acting,
    id: "pressKeys",
    step: "key",
    path: "/v1/computer/{machine_id}/input/keyboard/key",
    summary: "Presses keys",
    description:
      "Groups are separated by blanks and pressed one after the other, keys of a group are joined by `+`. The reference driver knows X's names (`Return`, `eacute`, `XF86AudioMute`, `U20AC`) and, in any case, common ones (`enter`, `ctrl`, `pagedown`, `arrowup`); with a name that it does not know it presses nothing. `down` true presses all of them and leaves them down, false releases them, the last one first, absent does both.",
    body: computer.KeyBody,
    example: { text: "ctrl+a Delete" },
    refusals: {
      ...acting.refusals,
      409: `${acting.refusals[409]} \`not_supported_by_driver\`: the driver does not know \`down\`.`,
    },
    responses: done,
  },
  {
    ...acting,
    id: "openProgram",
    step: "open",
    path: "/v1/computer/{machine_id}/programs/open",
    summary: "Opens a program of the machine's own list",
    description: `Starts it, or brings its window to the front, and waits until the window is there and the screen is still, at most ${computer.programOpenMsMax / 1_000} s. The machine's \`programs\` are the names that a file beside its driver's key gives: what is started stands there, and never in a request.`,
    body: computer.OpenProgramBody,
    example: { program: "Orders", if_open: "restart" },
    refusals: {
      ...acting.refusals,
      404: "No such machine; `driver_rejected` for a name that is none of the machine's `programs`, which `details` lists.",
      409: `${acting.refusals[409]} \`not_supported_by_driver\`: the driver opens no programs.`,
    },
    responses: {
      200: { description: "Whether it was open, and is shown.", schema: computer.ProgramOpened },
    },
  },
  {
    ...acting,
    id: "copyToClipboard",
    step: "copy_to_clipboard",
    path: "/v1/computer/{machine_id}/copy_to_clipboard",
    hasLargeResponse: true,
    summary: "Copies the selection and reads the clipboard",
    description: "`text` names the key under which the clipboard's content is returned.",
    body: computer.CopyToClipboardBody,
    example: { text: "invoice_number" },
    responses: {
      200: { description: "The clipboard's content: `{<text>: clipboard}`.", schema: computer.Clipboard },
    },
  },
  {
    ...acting,
    id: "performBatch",
    step: "batch",
    path: "/v1/computer/{machine_id}/batch",
    hasLargeResponse: true,
    summary: "Performs several actions, and takes a screenshot after them",
    description:
      "The actions are performed in order, in one call to the desktop; the first that fails is the last that is tried, which the results say: the response is 200 all the same. A longer text than one may have goes in several batches. A driver that does not know batches gets the actions one by one.",
    body: BatchBody,
    example: {
      actions: [
        { type: "click", x: 200, y: 150, target: "the field Number" },
        { type: "type", text: "4711" },
      ],
      screenshot: true,
      settle_ms: 500,
    },
    refusals: {
      ...acting.refusals,
      409: `${acting.refusals[409]} \`not_supported_by_driver\`: the driver does not know \`down\` of keys, or opens no programs.`,
    },
    responses: {
      200: {
        description: "The result of each action, and the screen after the last.",
        schema: BatchResponse,
      },
    },
  },
  {
    ...readingFiles,
    id: "listFiles",
    path: "/v1/computer/{machine_id}/fs/list",
    hasLargeResponse: true,
    summary: "Lists a folder of the desktop",
    query: system.ListFilesQuery,
    responses: {
      200: {
        description: "The files and folders in the folder, with sizes in bytes.",
        schema: system.FileList,
      },
    },
  },
  {
    ...readingFiles,
    id: "readFile",
    path: "/v1/computer/{machine_id}/fs/read",
    summary: "Reads a file of the desktop",
    description:
      "`as` inline returns up to 4 MB in base64, `as` url a link to up to 100 MB, good for `expires_in` seconds.",
    query: system.ReadFileQuery,
    responses: {
      200: { description: "The file, or where it can be fetched.", schema: system.FileResponse },
    },
  },
  {
    ...acting,
    id: "createUpload",
    path: "/v1/computer/{machine_id}/fs/uploads",
    summary: "Prepares an upload of up to 100 MB",
    description:
      "PUT the bytes, `size` of them exactly, to `url` with `headers`; then write them with `upload_id`. An upload cannot be replaced, so a PUT sent again is 412, which says that it is there.",
    body: system.CreateUploadBody,
    example: { filename: "report.pdf", size: 52_428_800 },
    responses: { 200: { description: "The request to put the file with.", schema: system.UploadCreated } },
  },
  {
    ...acting,
    id: "writeFile",
    step: "write_file",
    path: "/v1/computer/{machine_id}/fs/write",
    summary: "Writes a file on the desktop",
    description: "The content comes from `content` (base64, up to 4 MB) or from an upload.",
    body: system.WriteFileBody,
    bodyBytesMax: largeBodyBytesMax,
    example: { path: "notes.txt", content: "SGVsbG8=", mode: "write" },
    responses: { 200: { description: "The file as it is now.", schema: system.FileWritten } },
    refusals: { ...acting.refusals, 404: "No such machine, or nothing was put under `upload_id`." },
  },
  {
    ...acting,
    id: "executeCommand",
    step: "shell",
    path: "/v1/computer/{machine_id}/shell/exec",
    hasLargeResponse: true,
    summary: "Runs a shell command on the desktop",
    description:
      "`timeout` is in seconds; a command that reaches it is ended, and `timeout_reached` is true.",
    body: system.ExecBody,
    example: { command: "uname -a", timeout: 5 },
    responses: {
      200: { description: "The command's output and its exit code.", schema: system.ExecResult },
    },
  },
]);
