import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      inBundle: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

const { packages } = Lock.parse(
  JSON.parse(readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8")),
);

describe("package-lock.json", () => {
  /** `npm install` writes only this machine's where it finds a `node_modules`, and `npm ci` then refuses elsewhere. */
  it("holds the programs of every platform, so that a fresh clone can be installed anywhere", () => {
    const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !packages[`${folder}/node_modules/${name}`] && !packages[`node_modules/${name}`])
        .map((name) => `${name} of ${folder}`),
    );
    expect(missing).toEqual([]);
  });

  it("pins what every package contains", () => {
    const unpinned = Object.entries(packages).filter(
      ([folder, { integrity, inBundle }]) => folder !== "" && !inBundle && !integrity,
    );
    expect(unpinned.map(([folder]) => folder)).toEqual([]);
  });
});
