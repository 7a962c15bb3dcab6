import { expect, it } from "vitest";
import { shiftPicture } from "../../../shared/domain/picture/edit-picture.ts";
import type { Picture } from "../../../shared/domain/picture/picture.ts";

function drawn(...rows: readonly string[]): Picture {
  const data = Uint8Array.from(rows.join(""), Number);
  const gray = Uint8Array.from({ length: data.length * 3 }, (_, at) => data[Math.floor(at / 3)] ?? 0);
  return { width: rows[0]?.length ?? 0, height: rows.length, data: gray };
}

it.each<[number, number, readonly string[]]>([
  [0, 0, ["123", "456"]],
  [1, 0, ["112", "445"]],
  [-2, 0, ["333", "666"]],
  [0, 1, ["123", "123"]],
  [-1, -1, ["566", "566"]],
  [9, -9, ["444", "444"]],
  [-9, 9, ["333", "333"]],
])("a picture that is moved by %d, %d goes on at its edge", (dx, dy, rows) => {
  expect(shiftPicture(drawn("123", "456"), { dx, dy })).toEqual(drawn(...rows));
});
