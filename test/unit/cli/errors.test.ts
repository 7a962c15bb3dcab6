import { describe, expect, it } from "vitest";
import { environment, runLine } from "../../support/cli/run-line.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";

describe("the end of a command", () => {
  it("is 3 with the service's sentence, code and request id when it refuses", async () => {
    const { code, errors } = await runLine(["machines", "get", id], {
      answer: () =>
        Response.json(
          { message: "there is no such machine", error_code: "not_found", details: null },
          { status: 404, headers: { "x-request-id": "req-7" } },
        ),
    });
    expect([code, errors]).toEqual([3, "das: there is no such machine (not_found, request req-7)\n"]);
  });

  it("is 4 with the reason when the service does not respond", async () => {
    const { code, errors, sent } = await runLine(["machines", "list"], {
      answer: () => {
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }),
        });
      },
    });
    expect([code, errors]).toEqual([
      4,
      'das: the service did not respond: connect ECONNREFUSED 127.0.0.1:1; nothing listens there ("npm start" runs the service on this machine)\n',
    ]);
    // As often as the client tries.
    expect(sent).toHaveLength(4);
  });

  it("is 130 and says nothing after ctrl-C, at once", async () => {
    let interrupt = () => {};
    const { code, errors } = await runLine(["machines", "list"], {
      onInterrupt: (listener) => {
        interrupt = listener;
      },
      answer: () => {
        interrupt();
        return new Promise(() => {});
      },
    });
    expect([code, errors]).toEqual([130, ""]);
  });

  it("is 2 for an unknown verb, with one that is like it", async () => {
    const { code, errors } = await runLine(["machines", "lsit"]);
    expect([code, errors]).toEqual([2, "das: unknown command 'lsit' (did you mean list?)\n"]);
    const noun = await runLine(["machine", "list"]);
    expect([noun.code, noun.errors]).toEqual([
      2,
      "das: unknown command 'machine' (did you mean machines?)\n",
    ]);
    const option = await runLine(["machines", "list", "--stats", "error"]);
    expect([option.code, option.errors]).toEqual([
      2,
      "das: unknown option '--stats' (did you mean --status?)\n",
    ]);
  });

  it("is 4 where something else than the service responds", async () => {
    const { code, errors } = await runLine(["machines", "list"], { answer: () => new Response("<html>") });
    expect([code, errors]).toEqual([
      4,
      "das: the response is no JSON: the address is not the service's own\n",
    ]);
  });

  it.each(["das_secret\nx", "das_sécret", "das secret"])(
    "is 2 for the key %j, which it does not repeat",
    async (key) => {
      const terminal = { environment: { ...environment, DAS_API_KEY: key } };
      const { code, errors, sent } = await runLine(["machines", "list"], { terminal });
      expect([code, sent]).toEqual([2, []]);
      expect(errors).toMatch(/^das: DAS_API_KEY is no API key/);
      expect(errors).not.toMatch(/s.cret/);
    },
  );

  it("does not repeat the value of an option that does not exist", async () => {
    const { code, errors } = await runLine(["providers", "set", "anthropic", "--api-kay=it's secret"]);
    expect([code, errors]).toEqual([2, "das: unknown option '--api-kay'\n"]);
  });

  it("is 2 without a key, and says how to get one", async () => {
    const terminal = { environment: { XDG_CONFIG_HOME: "/nonexistent" } };
    const { code, errors } = await runLine(["machines", "list"], { terminal, folder: "/" });
    expect([code, errors]).toEqual([2, expect.stringContaining("das login --url URL")]);
  });

  it("shows no control characters of a name", async () => {
    const name = "a\u001b[2Jb\u202ec";
    const { shown } = await runLine(["machines", "list"], {
      answer: () => Response.json({ items: [{ id, name }], total: 1, skip: 0, limit: 100 }),
      terminal: { environment, columns: 200 },
    });
    expect(shown).toContain("a\\u{1b}[2Jb\\u{202e}c");
  });
});

describe("help", () => {
  it.each([[["--help"]], [["machines", "--help"]], [["machines", "list", "--help"]], [["help", "machines"]]])(
    "of %j is shown with 0",
    async (line) => {
      const { code, shown, errors } = await runLine(line);
      expect([code, errors]).toEqual([0, ""]);
      expect(shown).toContain("Usage: das");
    },
  );

  it("of a command has the operation, the scope and an example", async () => {
    const { shown } = await runLine(["machines", "update", "--help"]);
    expect(shown).toContain("PATCH /v1/machines/{machine_id}, with the scope write.");
    expect(shown).toContain("das machines update MACHINE_ID --name 'Front desk 2' --no-is-available");
  });
});
