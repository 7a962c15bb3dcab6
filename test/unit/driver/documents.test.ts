import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { usage } from "../../../infra/driver/driver-arguments.ts";
import { parseDriverFrame, parseServiceFrame } from "../../../shared/contract/tunnel-frames.ts";

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}

describe("the documents of tunnel and driver", () => {
  it("show messages that the schemas take", () => {
    const protocol = read("shared/tunnel/PROTOCOL.md");
    const blocks = [...protocol.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
    const types = blocks.flatMap((text) => {
      const { type } = JSON.parse(text) as { type?: string };
      if (type === undefined) return [];
      const isDrivers = type === "hello" || type === "response";
      const frame = isDrivers ? parseDriverFrame(text) : parseServiceFrame(text);
      expect([type, frame.kind]).toEqual([type, "message"]);
      return [type];
    });
    expect(types).toEqual(["hello", "welcome", "request", "response", "goodbye", "goodbye"]);
  });

  it("describe every option of the command line", () => {
    const readme = read("infra/driver/README.md");
    const options = new Set(usage.match(/^ {2}--[a-z-]+/gm)?.map((option) => option.trim()));
    expect(options.size).toBeGreaterThan(14);
    for (const option of options) expect(readme).toContain(`\`${option}`);
  });
});
