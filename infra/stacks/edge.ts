import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { CfnOutput, Fn, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** Source: https://docs.aws.amazon.com/waf/latest/developerguide/cloudfront-features.html */
const edgeRegion = "us-east-1";

const webAclOutput = "WebAclArn";

/** Health checks come from few addresses, and report a flood to the operator. */
const publicHealthPaths = ["/v1/health", "/v1/health/db"];

const windowSeconds = 60;

/** The body equals API Gateway's own. */
const refusalBody = JSON.stringify({ message: "Too Many Requests" });

export interface EdgeStackProps extends StackProps {
  readonly requestsPerMinute: number;
}

export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, { requestsPerMinute, ...props }: EdgeStackProps) {
    super(scope, id, { ...props, env: { region: edgeRegion } });
    const visibility = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
      metricName,
    });
    const webAcl = new CfnWebACL(this, "WebAcl", {
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig: visibility("api"),
      customResponseBodies: { refusal: { contentType: "APPLICATION_JSON", content: refusalBody } },
      rules: [
        {
          name: "requests-of-an-address",
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: "IP",
              evaluationWindowSec: windowSeconds,
              limit: requestsPerMinute,
              scopeDownStatement: { notStatement: { statement: isPublicHealth } },
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: "refusal",
                responseHeaders: [{ name: "Retry-After", value: String(windowSeconds) }],
              },
            },
          },
          visibilityConfig: visibility("requests-of-an-address"),
        },
      ],
    });
    new CfnOutput(this, webAclOutput, {
      description: "What the distribution is protected by.",
      value: webAcl.attrArn,
    }).overrideLogicalId(webAclOutput);
  }

  /** The other stack may be in any Region, so the output is read at its deployment. */
  get webAclArn(): string {
    return Fn.getStackOutput(this.stackName, webAclOutput, edgeRegion);
  }
}

const isPublicHealth: CfnWebACL.StatementProperty = {
  orStatement: {
    statements: publicHealthPaths.map((searchString) => ({
      byteMatchStatement: {
        fieldToMatch: { uriPath: {} },
        positionalConstraint: "EXACTLY",
        searchString,
        textTransformations: [{ priority: 0, type: "NONE" }],
      },
    })),
  },
};
