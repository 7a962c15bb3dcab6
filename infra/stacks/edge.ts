import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { CfnOutput, Fn, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/**
 * Where AWS WAF keeps what CloudFront uses.
 *
 * Source: https://docs.aws.amazon.com/waf/latest/developerguide/cloudfront-features.html
 */
const edgeRegion = "us-east-1";

const webAclOutput = "WebAclArn";

/** Health checks come from few addresses, and are what tells an operator of the flood. */
const publicHealthPaths = ["/v1/health", "/v1/health/db"];

const windowSeconds = 60;

/** As API Gateway's own refusals. */
const refusalBody = JSON.stringify({ message: "Too Many Requests" });

export interface EdgeStackProps extends StackProps {
  /** Requests of one address in 60 s. */
  readonly requestsPerMinute: number;
}

/** AWS WAF's rate rule before the HTTP API, in the one Region where CloudFront finds it. */
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

  /** Read from that Region when the other stack is deployed, which may be in any. */
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
