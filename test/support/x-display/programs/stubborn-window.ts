import { XConnection } from "../x-connection.ts";

const [display = "", name = ""] = process.argv.slice(2);
process.on("SIGTERM", () => {});
const connection = await XConnection.open(display);
const window = connection.makeId();
connection.send("CreateWindow", window, connection.root, 0, 0, 200, 100, 0, 0, 0, 0, {});
const [replace, classAtom, stringType] = [0, 67, 31];
connection.send(
  "ChangeProperty",
  replace,
  window,
  classAtom,
  stringType,
  8,
  Buffer.from(`${name}\0${name}\0`),
);
connection.send("MapWindow", window);
