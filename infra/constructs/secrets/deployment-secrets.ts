import { ArnFormat, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { SecretKind } from "../../../shared/vocabulary/files.ts";
import type { Settings } from "../../settings.ts";
import type { ServiceFunction } from "../service-function.ts";

const freshNamesReason = "Each write makes a secret under a fresh name below its kind's folder.";

/** The customers' secrets are named `das/<deployment>/<organization>/<kind>/…` and belong to no stack. */
export class DeploymentSecrets extends Construct {
  readonly #deployment: string;
  readonly #kmsKeyArn: string | undefined;

  constructor(scope: Construct, id: string, settings: Pick<Settings, "deployment" | "kmsKeyArn">) {
    super(scope, id);
    this.#deployment = settings.deployment;
    this.#kmsKeyArn = settings.kmsKeyArn;
  }

  /** The grant does not allow reading values. */
  bindWrite(fn: ServiceFunction, ...kinds: readonly SecretKind[]): void {
    this.#allow(fn, ["secretsmanager:CreateSecret", "secretsmanager:TagResource"], kinds);
    this.bindDelete(fn, ...kinds);
    if (this.#kmsKeyArn !== undefined) fn.set("SECRETS_KMS_KEY", this.#kmsKeyArn);
  }

  bindRead(fn: ServiceFunction, ...kinds: readonly SecretKind[]): void {
    this.#allow(fn, ["secretsmanager:GetSecretValue"], kinds);
  }

  /** The operator sets the platform's own provider keys. */
  bindReadPlatformKeys(fn: ServiceFunction): void {
    fn.allow({
      actions: ["secretsmanager:GetSecretValue"],
      resources: [this.#arnOf(`das-platform/${this.#deployment}/*`)],
      wildcardReason: "One secret a slot, which the operator sets under its name, or none.",
    });
  }

  /** The operator sets the API key of the synthetic run's organization. */
  bindReadSyntheticKey(fn: ServiceFunction): void {
    const name = `das-synthetic/${this.#deployment}/key`;
    fn.allow({
      actions: ["secretsmanager:GetSecretValue"],
      resources: [this.#arnOf(`${name}-??????`)],
    });
    fn.set("KEY_SECRET", name);
  }

  /** A deletion can always be undone for days. */
  bindDelete(fn: ServiceFunction, ...kinds: readonly SecretKind[]): void {
    this.#allowDelete(fn, this.#arnsOf(kinds));
  }

  #allowDelete(fn: ServiceFunction, resources: readonly string[]): void {
    fn.allow({
      actions: ["secretsmanager:DeleteSecret"],
      resources,
      wildcardReason: freshNamesReason,
    });
    fn.deny({
      actions: ["secretsmanager:DeleteSecret"],
      resources: ["*"],
      conditions: { Bool: { "secretsmanager:ForceDeleteWithoutRecovery": "true" } },
    });
  }

  /** Listing shows names, not values. */
  bindSweep(fn: ServiceFunction): void {
    fn.allow({
      actions: ["secretsmanager:ListSecrets"],
      resources: ["*"],
      wildcardReason: "ListSecrets knows no resources.",
    });
    this.#allowDelete(fn, [this.#arnOf(`das/${this.#deployment}/*`)]);
  }

  #allow(fn: ServiceFunction, actions: readonly string[], kinds: readonly SecretKind[]): void {
    fn.allow({ actions, resources: this.#arnsOf(kinds), wildcardReason: freshNamesReason });
  }

  #arnsOf(kinds: readonly SecretKind[]): readonly string[] {
    return kinds.map((kind) => this.#arnOf(`das/${this.#deployment}/*/${kind}/*`));
  }

  #arnOf(resourceName: string): string {
    return Stack.of(this).formatArn({
      service: "secretsmanager",
      resource: "secret",
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }
}
