import { ArnFormat, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

const freshNamesReason = "Each write makes a secret under a fresh name below this deployment's folder.";

/** The customers' secrets: not resources of a stack, but everything named `das/<deployment>/…`. */
export class DeploymentSecrets extends Construct {
  readonly #folderArn: string;

  constructor(scope: Construct, id: string, deployment: string) {
    super(scope, id);
    this.#folderArn = Stack.of(this).formatArn({
      service: "secretsmanager",
      resource: "secret",
      resourceName: `das/${deployment}/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }

  /** Making secrets and deleting those replaced; no reading of values. */
  bindWrite(fn: ServiceFunction): void {
    this.#allow(fn, [
      "secretsmanager:CreateSecret",
      "secretsmanager:DeleteSecret",
      "secretsmanager:TagResource",
    ]);
  }

  /** Values, for the function that returns them to a run's worker. */
  bindRead(fn: ServiceFunction): void {
    this.#allow(fn, ["secretsmanager:GetSecretValue"]);
  }

  bindDelete(fn: ServiceFunction): void {
    this.#allow(fn, ["secretsmanager:DeleteSecret"]);
  }

  /** Listing the account's secrets (names, not values) and deleting those of this deployment. */
  bindSweep(fn: ServiceFunction): void {
    fn.allow({
      actions: ["secretsmanager:ListSecrets"],
      resources: ["*"],
      wildcardReason: "ListSecrets knows no resources; X-Ray's two actions neither.",
    });
    this.#allow(fn, ["secretsmanager:DeleteSecret", "secretsmanager:DescribeSecret"]);
  }

  #allow(fn: ServiceFunction, actions: readonly string[]): void {
    fn.allow({ actions, resources: [this.#folderArn], wildcardReason: freshNamesReason });
  }
}
