import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { askDesktop, jsonOf } from "../../support/fake-service/ask-desktop.ts";

let root: string;
let elsewhere: string;

beforeEach(async () => {
  [root, elsewhere] = await Promise.all([
    mkdtemp(join(tmpdir(), "driver-files-")),
    mkdtemp(join(tmpdir(), "driver-elsewhere-")),
  ]);
});

afterEach(async () => {
  for (const folder of [root, elsewhere]) await rm(folder, { recursive: true });
});

async function ask(method: "GET" | "POST", operation: string, input: Record<string, string>) {
  const ownFiles = [join(root, "driver/state")];
  const desktop = createLocalDesktop({ screen: new SimulatedScreen(), root, ownFiles, allowShell: false });
  const given = method === "GET" ? { query: new URLSearchParams(input).toString() } : { body: input };
  return jsonOf(await askDesktop(desktop, method, `fs/${operation}`, given));
}

const content = btoa("7");

describe("a driver's files", () => {
  it.each(["~/in/a b.txt", "in/a b.txt", "./in/a b.txt"])("are found below the root at %s", async (path) => {
    await mkdir(join(root, "in"));
    expect(await ask("POST", "write", { path, content })).toMatchObject({ path: join(root, "in/a b.txt") });
    expect(await ask("GET", "read", { path, as: "inline" })).toMatchObject({ content });
  });

  it.each(["~", "~/", "."])("are listed from the root at %s", async (path) => {
    await writeFile(join(root, "a.txt"), "");
    expect(await ask("GET", "list", { path })).toMatchObject({ path: root, items: [{ name: "a.txt" }] });
  });

  it("reach a file that is called ~ by another spelling", async () => {
    await ask("POST", "write", { path: "./~", content });
    expect(await readFile(join(root, "~"), "utf8")).toBe("7");
  });

  it("do not leave the root behind ~", async () => {
    expect(await ask("GET", "list", { path: "~/.." })).toMatchObject({ code: "outside_root" });
    expect(await ask("POST", "write", { path: "~/../a", content })).toMatchObject({ code: "outside_root" });
  });
});

describe("a driver's folder", () => {
  it("is made with those above it, and left as it is when it is there", async () => {
    for (const _ of ["made", "there"]) {
      const made = await ask("POST", "folder", { path: "~/Transfers/für Ada" });
      expect(made).toEqual({ path: join(root, "Transfers/für Ada") });
      await writeFile(join(root, "Transfers/für Ada/a.txt"), "");
    }
    expect(await readdir(join(root, "Transfers/für Ada"))).toEqual(["a.txt"]);
  });

  it.each([
    ["outside_root", "~/../x"],
    ["outside_root", "~/away/x"],
    ["driver_file", "~/driver/state/x"],
    ["not_a_folder", "~/file"],
    ["not_a_folder", "~/file/x"],
  ])("is refused as %s at %s", async (code, path) => {
    await symlink(elsewhere, join(root, "away"));
    await mkdir(join(root, "driver/state"), { recursive: true });
    await writeFile(join(root, "file"), "");
    expect(await ask("POST", "folder", { path })).toMatchObject({ code });
    expect(await readdir(elsewhere)).toEqual([]);
  });
});

describe("a driver that removes", () => {
  it("takes a file, a folder with all that is in it, and what is not there", async () => {
    await mkdir(join(root, "out/deep"), { recursive: true });
    await writeFile(join(root, "out/deep/a.txt"), "");
    await writeFile(join(root, "b.txt"), "");
    for (const path of ["~/out", "b.txt", "~/nothing", "~/no/folder"]) {
      expect(await ask("POST", "remove", { path })).toEqual({});
    }
    expect(await readdir(root)).toEqual([]);
  });

  it("takes a link, and leaves what it leads to", async () => {
    await writeFile(join(elsewhere, "kept.txt"), "");
    await symlink(elsewhere, join(root, "away"));
    await ask("POST", "remove", { path: "~/away" });
    expect([await readdir(root), await readdir(elsewhere)]).toEqual([[], ["kept.txt"]]);
  });

  it.each([
    ["outside_root", "~"],
    ["outside_root", "~/../x"],
    ["outside_root", "~/away/kept.txt"],
    ["driver_file", "~/driver"],
    ["driver_file", "~/driver/state"],
    ["driver_file", "~/driver/state/key"],
  ])("refuses as %s to take %s", async (code, path) => {
    await symlink(elsewhere, join(root, "away"));
    await mkdir(join(root, "driver/state"), { recursive: true });
    await writeFile(join(root, "driver/state/key"), "");
    expect(await ask("POST", "remove", { path })).toMatchObject({ code });
    expect(await readdir(join(root, "driver/state"))).toEqual(["key"]);
  });
});
