import type { FormResult } from "./try-forms.ts";

export interface Conclusion {
  readonly sentence: string;
  /** The service can be deployed with the default of `leadingKeys`. */
  readonly isEnforceable: boolean;
}

export function conclusionOf(results: readonly FormResult[]): Conclusion {
  const named = (wanted: (result: FormResult) => boolean) =>
    results
      .filter(wanted)
      .map(({ form }) => form)
      .join(", ");
  const isVerdict = (verdict: string) => verdict === "allowed" || verdict === "refused";
  const failed = named(({ granted, outside }) => !isVerdict(granted) || !isVerdict(outside));
  if (failed !== "" || results.length === 0) {
    return {
      sentence: `nothing can be concluded, try again: ${failed || "no form"} failed`,
      isEnforceable: false,
    };
  }
  const refused = named(({ granted }) => granted === "refused");
  if (refused.includes("index")) {
    return {
      sentence: `${refused}: refused, but the grant of an index has no condition: something else in this account refuses (a service control policy, a boundary), which leadingKeys does not change`,
      isEnforceable: false,
    };
  }
  if (refused !== "") {
    return {
      sentence: `the service needs what AWS refuses under the condition on leading keys (${refused}): set leadingKeys to "off" in cdk.json; .github/SECURITY.md says what that gives up`,
      isEnforceable: false,
    };
  }
  const open = named(({ outside }) => outside === "allowed");
  if (open !== "") {
    return {
      sentence: `leave leadingKeys "enforced": all that the service needs is allowed; but AWS does not hold a role to its keys in ${open}`,
      isEnforceable: true,
    };
  }
  return {
    sentence: 'leave leadingKeys "enforced": AWS judges each form by its keys as the service expects',
    isEnforceable: true,
  };
}

export function tableOf(results: readonly FormResult[]): readonly string[] {
  const line = (...[form = "", granted = "", outside = ""]: readonly string[]) =>
    `${form.padEnd(36)}${granted.padEnd(15)} ${outside}`;
  return [
    line("form", "granted keys", "other keys"),
    ...results.map(({ form, granted, outside }) => line(form, granted, outside)),
  ];
}
