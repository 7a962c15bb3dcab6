import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runLine } from "../../support/cli/run-line.ts";

let folder = "";
const caller = {
  kind: "api_key",
  organization_id: "org_1",
  user_id: "01890a5d-ac96-774b-bcce-b302099a8057",
  api_key_id: null,
  scopes: ["read"],
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "das-login-"));
});
afterEach(async () => await rm(folder, { recursive: true }));

const file = () => join(folder, "das", "profiles.json");

/** Without the environment's key; in a folder that has no stack. */
async function das(
  line: readonly string[],
  more: { input?: string; environment?: object; isInteractive?: boolean } = {},
) {
  const { input, isInteractive = false } = more;
  return await runLine(line, {
    folder,
    terminal: {
      isInteractive,
      environment: { XDG_CONFIG_HOME: folder, ...more.environment },
      ...(input === undefined ? {} : { input }),
    },
    answer: ({ url, headers }) =>
      headers.get("authorization") === "Bearer das_wrong"
        ? Response.json(
            { message: "unknown key", error_code: "invalid_credentials", details: null },
            { status: 401 },
          )
        : Response.json(url.endsWith("/v1/caller") ? caller : { items: [], total: 0, skip: 0, limit: 100 }),
  });
}

const url = "https://one.example.com";

describe("das login", () => {
  it.each([
    ["standard input", false],
    ["a prompt", true],
  ])("checks a key from %s, and keeps it for its owner alone", async (_from, isInteractive) => {
    const { code, errors, shown, sent } = await das(["login", "--url", `${url}/`], {
      input: "das_1\n",
      isInteractive,
    });
    expect([code, shown]).toEqual([0, ""]);
    expect(errors).not.toContain("das_1");
    expect(sent.map((each) => [each.url, each.headers.get("authorization")])).toEqual([
      [`${url}/v1/caller`, "Bearer das_1"],
    ]);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "das"))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({
      current: "default",
      profiles: { default: { url, api_key: "das_1" } },
    });
  });

  it("keeps no key that the service refuses, and does not repeat it", async () => {
    const { code, errors } = await das(["login", "--url", url], { input: "das_wrong" });
    expect(code).toBe(3);
    expect(errors).not.toContain("das_wrong");
    await expect(stat(file())).rejects.toThrow("ENOENT");
  });

  it.each([["http://api.example.com"], ["https://user:pass@api.example.com"], ["api.example.com"]])(
    "refuses the address %s",
    async (address) => {
      const { code, sent } = await das(["login", "--url", address], { input: "das_1" });
      expect([code, sent]).toEqual([2, []]);
    },
  );

  it("refuses two lines, without showing them", async () => {
    const { code, errors, sent } = await das(["login", "--url", url], { input: "das_1\ndas_2\n" });
    expect([code, sent]).toEqual([2, []]);
    expect(errors).not.toContain("das_");
  });
});

describe("which service", () => {
  beforeEach(async () => {
    await das(["login", "--url", url], { input: "das_1" });
    await das(["login", "--url", "https://two.example.com", "--profile", "two"], { input: "das_2" });
  });
  const whose = async (line: readonly string[], environment: object = {}) => {
    const { sent, code } = await das([...line], { environment });
    return sent[0] === undefined ? code : `${sent[0].url} ${sent[0].headers.get("authorization")}`;
  };

  it("is that of the last login, else of the profile named", async () => {
    expect(await whose(["whoami"])).toBe("https://two.example.com/v1/caller Bearer das_2");
    expect(await whose(["whoami", "--profile", "default"])).toBe(`${url}/v1/caller Bearer das_1`);
    expect(await whose(["whoami"], { DAS_PROFILE: "default" })).toBe(`${url}/v1/caller Bearer das_1`);
    expect(await whose(["whoami", "--profile", "three"])).toBe(2);
  });

  it("is that of the environment before all", async () => {
    const environment = { DAS_API_KEY: "das_e", DAS_URL: "https://e.example.com" };
    expect(await whose(["whoami"], environment)).toBe("https://e.example.com/v1/caller Bearer das_e");
    expect(await whose(["whoami", "--profile", "two"], environment)).toBe(2);
  });

  it("is never another one than the key was saved for", async () => {
    expect(await whose(["whoami"], { DAS_URL: "https://e.example.com" })).toBe(2);
    expect(await whose(["whoami"], { DAS_URL: "https://two.example.com/" })).toBe(
      "https://two.example.com/v1/caller Bearer das_2",
    );
  });

  it("is refused when others may read the keys", async () => {
    await chmod(file(), 0o644);
    expect(await whose(["whoami"])).toBe(2);
  });

  it("is forgotten by logout, and profiles lists what is left, without keys", async () => {
    await das(["logout"]);
    const { shown } = await das(["profiles", "--json"]);
    expect(JSON.parse(shown)).toEqual([{ name: "default", url, is_current: true }]);
    await das(["logout"]);
    expect(await whose(["whoami"])).toBe(2);
  });
});

describe("in a clone", () => {
  const write = async (base_url: string) => {
    await mkdir(join(folder, ".local"));
    await writeFile(join(folder, ".local", "stack.json"), JSON.stringify({ base_url, api_key: "das_local" }));
  };

  it("the stack that runs there is used without a login, from folders below, too", async () => {
    await write("http://127.0.0.1:4100");
    await mkdir(join(folder, "a", "b"), { recursive: true });
    const { sent, code } = await runLine(["whoami"], {
      folder: join(folder, "a", "b"),
      terminal: { environment: { XDG_CONFIG_HOME: folder } },
      answer: () => Response.json(caller),
    });
    expect([code, sent[0]?.url, sent[0]?.headers.get("authorization")]).toEqual([
      0,
      "http://127.0.0.1:4100/v1/caller",
      "Bearer das_local",
    ]);
  });

  it("a file that names another host is none", async () => {
    await write("https://elsewhere.example.com");
    expect((await das(["whoami"])).code).toBe(2);
  });
});
