import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { organizationSegment } from "../../../shared/secrets/organization-segment.ts";

describe("an organization's segment of a name", () => {
  it("leaves ordinary ids readable", () => {
    expect(organizationSegment(organizationIdOf("org_2aB-9"))).toBe("org_2aB-9");
  });

  it("never leaves its place: no slash, no dots alone, at most 200 characters", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 400 }), (id) => {
        const segment = organizationSegment(organizationIdOf(id));
        expect(segment).toMatch(/^[A-Za-z0-9_.-]{1,200}$/);
        expect(segment).not.toMatch(/^\.{1,2}$/);
      }),
    );
  });

  it("is another for another organization, also when ids are long", () => {
    const ids = ["a.b", "a.2Eb", "a/b", "A/b", "ä".repeat(300), `${"ä".repeat(299)}ö`, "..", "."];
    expect(new Set(ids.map((id) => organizationSegment(organizationIdOf(id)))).size).toBe(ids.length);
    expect(() => organizationSegment(organizationIdOf(""))).toThrow();
  });
});
