import { setTimeout as sleep } from "node:timers/promises";
import { XConnection } from "../x-connection.ts";

/**
 * A program that paints its window for a while, and then sets a property of it to its longest pause, in milliseconds.
 * Its arguments: the display, its WM_CLASS, the duration in milliseconds, the property.
 */
const [display = "", name = "", forMs = "0", property = "0"] = process.argv.slice(2);
const connection = await XConnection.open(display);
const window = connection.makeId();
const [replace, classAtom, stringType, integer] = [0, 67, 31, 19];
connection.send("CreateWindow", window, connection.root, 0, 0, 200, 100, 0, 0, 0, 0, {});
const classes = Buffer.from(`${name}\0${name}\0`);
connection.send("ChangeProperty", replace, window, classAtom, stringType, 8, classes);
connection.send("MapWindow", window);
const until = performance.now() + Number(forMs);
let longest = 0;
for (let [colour, at] = [1, performance.now()]; at < until; colour += 1) {
  connection.send("ChangeWindowAttributes", window, { backgroundPixel: colour * 4_096 });
  connection.send("ClearArea", window, 0, 0, 200, 100, 0);
  await connection.sync();
  await sleep(10);
  longest = Math.max(longest, performance.now() - at);
  at = performance.now();
}
const pause = Buffer.from([Math.min(255, longest)]);
connection.send("ChangeProperty", replace, window, Number(property), integer, 8, pause);
