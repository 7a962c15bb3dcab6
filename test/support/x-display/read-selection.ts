import { until } from "../stack/until.ts";
import { XConnection, type XEvent } from "./x-connection.ts";

/**
 * The text that is selected after `select`, read as another program would paste it.
 *
 * @param selectedWithinMs programs on a busy machine take seconds for a long text.
 * @returns undefined where nothing gets selected.
 */
export async function readSelection(
  display: string,
  select: () => Promise<void>,
  selectedWithinMs: number,
): Promise<string | undefined> {
  const connection = await XConnection.open(display);
  try {
    const window = connection.makeId();
    connection.send("CreateWindow", window, connection.root, 0, 0, 1, 1);
    const seen: XEvent[] = [];
    connection.on("event", (event) => seen.push(event));
    const has = (name: string) => until(() => seen.some((event) => event.name === name), selectedWithinMs, 2);
    const [primary, utf8, property] = await Promise.all(
      ["PRIMARY", "UTF8_STRING", "DRIVER_TEST_TEXT"].map((name) => connection.atom(name)),
    );
    connection.send("SetSelectionOwner", window, primary);
    await connection.sync();
    await select();
    await has("SelectionClear");
    if (!seen.some(({ name }) => name === "SelectionClear")) return undefined;
    connection.send("ConvertSelection", window, primary, utf8, property);
    await has("SelectionNotify");
    const { data } = await connection.ask<{ data: Buffer }>(
      "GetProperty",
      1,
      window,
      property,
      0,
      0,
      1_000_000,
    );
    return data.toString();
  } finally {
    await connection.close();
  }
}
