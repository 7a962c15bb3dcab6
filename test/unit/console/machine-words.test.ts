import { describe, expect, it } from "vitest";
import { driverCommand } from "../../../functions/console/page/machines/driver-command.ts";
import { bytesInWords, folderAbove, joinPath } from "../../../functions/console/page/machines/file-words.ts";
import { isAmong } from "../../../functions/console/page/machines/machine-filters.ts";
import {
  type ShownMachine,
  whyNotAvailable,
} from "../../../functions/console/page/machines/machine-words.ts";
import { parametersOf, secretsOf } from "../../../functions/console/page/machines/parameter-texts.ts";
import {
  holderWords,
  isHolder,
  isSameId,
  mayTakeOver,
} from "../../../functions/console/page/parts/holder.ts";
import { failureOnDesktop } from "../../../functions/console/page/screen/failure-on-desktop.ts";
import { ApiError } from "../../../shared/client/api-error.ts";

const machine = {
  id: "0192f0c1",
  name: "Front desk",
  hostname: "desk-17",
  status: "connected",
  is_available: true,
  reserved_session_id: null,
  held: null,
} as unknown as ShownMachine;
const held = { by: { kind: "user", id: "u1" }, reason: null, until: "2026-11-27T12:00:00.000Z" };

describe("why a machine takes no new run", () => {
  it.each([
    [{}, false, undefined],
    [{}, true, "carries out a run"],
    [{ status: "error" }, true, "out of service"],
    [{ status: "disconnected" }, false, "its driver is not connected"],
    [{ held }, true, "held by a person"],
    [{ is_available: false }, false, "switched off for new runs"],
    [{ reserved_session_id: "s1" }, false, "reserved for a session"],
  ])("says of %j, with a run: %s, %s", (more, hasRun, words) => {
    expect(whyNotAvailable({ ...machine, ...more } as ShownMachine, hasRun)).toBe(words);
  });
});

describe("the holder of a desktop", () => {
  const key = "0192f0c1-2d3e-7f4a-8b5c-6d7e8f901234";
  const caller = { organization_id: "o", user_id: "u1", scopes: [] };
  const byKey = { ...held, by: { kind: "key", id: key.replaceAll("-", "") } } as NonNullable<
    ShownMachine["held"]
  >;
  const byUser = { ...held } as NonNullable<ShownMachine["held"]>;

  it("is the key or the user that holds it, and nobody for a model's hold", () => {
    expect(isSameId(key, key.replaceAll("-", ""))).toBe(true);
    expect(isHolder(byKey, { ...caller, kind: "api_key", api_key_id: key })).toBe(true);
    expect(isHolder(byKey, { ...caller, kind: "api_key", api_key_id: "else" })).toBe(false);
    expect(isHolder(byUser, { ...caller, kind: "api_key", api_key_id: key })).toBe(false);
    expect(isHolder(byUser, { ...caller, kind: "session", api_key_id: null })).toBe(true);
    const byModel = { ...byUser, by: { kind: "model" as const, id: null } };
    expect(isHolder(byModel, { ...caller, kind: "session", api_key_id: null })).toBe(false);
  });

  it("is named to others, and is you to the holder", () => {
    const session = { ...caller, kind: "session" as const, api_key_id: null };
    const byModel = { ...byUser, by: { kind: "model" as const, id: null } };
    expect([byUser, byKey, byModel].map((each) => holderWords(each, session))).toEqual([
      "you",
      `the API key ${byKey.by.id}`,
      "the run’s model, which asks for a person",
    ]);
    expect(holderWords(byUser, { ...session, user_id: "u2" })).toBe("the person u1");
  });

  it("loses it only to a key with the scope admin, not to a session, which always has it", () => {
    expect(mayTakeOver({ kind: "api_key", scopes: ["write", "admin"] })).toBe(true);
    expect(mayTakeOver({ kind: "api_key", scopes: ["write"] })).toBe(false);
    expect(mayTakeOver({ kind: "session", scopes: ["admin"] })).toBe(false);
  });
});

describe("the machines of a pool", () => {
  it("are filtered as the API filters lists", () => {
    expect(isAmong(machine, {})).toBe(true);
    expect(isAmong(machine, { search: "FRONT" })).toBe(true);
    expect(isAmong(machine, { search: "17", status: "connected" })).toBe(true);
    expect(isAmong(machine, { search: "back" })).toBe(false);
    expect(isAmong(machine, { status: "error" })).toBe(false);
  });
});

describe("the command that connects a desktop", () => {
  it("has the key in a variable, and a name as a shell takes it", () => {
    expect(driverCommand({ url: "wss://a.test/live", name: "Ann's $(desk)", key: "das_1" })).toBe(
      "export DRIVER_KEY=das_1\nnpm run driver -- --url wss://a.test/live --name 'Ann'\\''s $(desk)'",
    );
    expect(driverCommand({ url: "wss://a.test", name: "", key: undefined })).not.toContain("--name");
  });
});

describe("texts of parameters", () => {
  it("are a JSON object, or say what is wrong", () => {
    expect(parametersOf('{"a": 1}').body).toEqual({ machine_parameters: { a: 1 } });
    expect(parametersOf(" ").body).toEqual({ machine_parameters: {} });
    expect(parametersOf("[1]").problem).toBe("Parameters are a JSON object.");
    expect(parametersOf("{").problem).toMatch(/^This is no JSON/);
  });

  it("are secrets of one line each, or say what is wrong", () => {
    expect(secretsOf("pin=1=2\n\n user = x ").body).toEqual({
      machine_sensitive_parameters: { pin: "1=2", user: " x " },
    });
    expect(secretsOf("pin=").problem).toBe("pin has no value.");
    expect(secretsOf("pin").problem).toBe("Each line is name=value.");
  });
});

describe("files", () => {
  it("have sizes and paths in words", () => {
    expect([0, 1_023, 1_536, 5_242_880].map(bytesInWords)).toEqual(["0 B", "1023 B", "1.5 KB", "5.0 MB"]);
    expect([folderAbove("a/b/c"), folderAbove("a"), joinPath(".", "x"), joinPath("a", "x")]).toEqual([
      "a/b",
      ".",
      "x",
      "a/x",
    ]);
  });
});

describe("a refusal of a held desktop", () => {
  it("says who holds it, and until when", () => {
    const error = new ApiError({
      status: 409,
      message: "somebody else drives the desktop",
      errorCode: undefined,
      details: held,
      requestId: "r1",
      retryAfterSeconds: undefined,
    });
    const shown = failureOnDesktop(error) as ApiError;
    expect(shown.message).toMatch(/^somebody else drives the desktop: user u1, until .*\d/);
    expect(shown.requestId).toBe("r1");
    expect(failureOnDesktop("else")).toBe("else");
  });
});
