import { XConnection, type XEvent } from "../x-connection.ts";

const partBytes = 200_000;
const propertyNotify = "PropertyNotify";
const propertyDeleted = 1;

type Request = XEvent & {
  readonly requestor: number;
  readonly selection: number;
  readonly target: number;
  readonly property: number;
  readonly atom: number;
  readonly state: number;
};

/**
 * Owns a display's clipboard.
 *
 * @param text undefined: requests are never answered, as by a program that hangs.
 * @returns what ends it.
 */
export async function ownClipboard(
  display: string,
  text: string | undefined,
): Promise<{ close(): Promise<void> }> {
  const connection = await XConnection.open(display);
  const [clipboard, utf8, targets, incr, atom] = await Promise.all(
    ["CLIPBOARD", "UTF8_STRING", "TARGETS", "INCR", "ATOM"].map((name) => connection.atom(name)),
  );
  const window = connection.makeId();
  connection.send("CreateWindow", window, connection.root, 0, 0, 1, 1);
  const bytes = Buffer.from(text ?? "");
  const remaining = new Map<number, Buffer>();

  const put = (request: Request, type: number | undefined, format: number, data: Buffer | number[]) =>
    connection.send("ChangeProperty", 0, request.requestor, request.property, type, format, data);

  function answer(request: Request): void {
    let property = request.property;
    if (request.target === targets) put(request, atom, 32, [targets ?? 0, utf8 ?? 0]);
    else if (request.target !== utf8) property = 0;
    else if (bytes.length <= partBytes) put(request, utf8, 8, bytes);
    else {
      connection.send("ChangeWindowAttributes", request.requestor, { eventMask: 0x400000 });
      remaining.set(request.requestor, bytes);
      put(request, incr, 32, [bytes.length]);
    }
    const notify = Buffer.alloc(32);
    notify[0] = 31;
    [request.time, request.requestor, request.selection, request.target, property].forEach((value, at) => {
      notify.writeUInt32LE(value, 4 + at * 4);
    });
    connection.send("SendEvent", request.requestor, 0, 0, notify);
  }

  connection.on("event", (event) => {
    const request = event as Request;
    if (event.name === "SelectionRequest" && text !== undefined) answer(request);
    const rest = remaining.get(event.wid);
    if (event.name !== propertyNotify || request.state !== propertyDeleted || rest === undefined) return;
    const part = rest.subarray(0, partBytes);
    connection.send("ChangeProperty", 0, event.wid, request.atom, utf8, 8, part);
    if (part.length === 0) remaining.delete(event.wid);
    else remaining.set(event.wid, rest.subarray(part.length));
  });
  connection.send("SetSelectionOwner", window, clipboard);
  await connection.sync();
  return { close: () => connection.close() };
}
