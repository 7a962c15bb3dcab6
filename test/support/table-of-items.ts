import { readFileSync } from "node:fs";
import { type KeyKind, keyPatterns } from "../../shared/storage/table/key-patterns.ts";
import { sortKeyPatterns } from "./sort-key-patterns.ts";

export const storagePage = new URL("../../shared/storage/STORAGE.md", import.meta.url);

const markers = /(?<=<!-- made from key-patterns\.ts by `npm run fixtures` -->\n\n).*?(?=\n\n<!-- end -->)/s;

interface Row {
  readonly kind: string;
  readonly keys: string;
  readonly besides: string;
}

/** The page with its table of items made anew: the last column alone is written by hand, and kept. */
export function withTableOfItems(page: string): string {
  const besides = new Map(rowsIn(page).map((row) => [row.kind, row.besides]));
  const lines = [...keysByKind()].map(
    ([kind, keys]) => `| ${kind} | ${keys.join("; ")} | ${besides.get(kind) ?? ""} |`,
  );
  const table = ["| Kind | pk, sk | Besides |", "| --- | --- | --- |", ...lines].join("\n");
  return page.replace(markers, () => table);
}

export function rowsIn(page: string): readonly Row[] {
  const [table = ""] = markers.exec(page) ?? [];
  return [...table.matchAll(/^\| ([a-z_]+) \| (.*?) \| (.*) \|$/gm)].map(
    ([, kind = "", keys = "", besides = ""]) => {
      return { kind, keys, besides };
    },
  );
}

export function readStoragePage(): string {
  return readFileSync(storagePage, "utf8");
}

/** Partitions with the same sort key are named together. */
function keysByKind(): ReadonlyMap<string, readonly string[]> {
  const all = Object.entries(sortKeyPatterns).flatMap(([partition, items]) =>
    Object.entries(items).map(([kind, sortKey]) => {
      return { kind, sortKey, partition: keyPatterns[partition as KeyKind] };
    }),
  );
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return new Map(
    kinds.map(([kind, keys]) => {
      const bySortKey = [...Map.groupBy(keys, ({ sortKey }) => sortKey)];
      return [
        kind,
        bySortKey.map(([sortKey, same]) => {
          return `${same.map(({ partition }) => `\`${partition}\``).join(" or ")}, \`${sortKey}\``;
        }),
      ];
    }),
  );
}
