import { CfnAccount } from "aws-cdk-lib/aws-apigateway";
import { WebSocketApi, WebSocketStage } from "aws-cdk-lib/aws-apigatewayv2";
import { WebSocketLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnOutput, RemovalPolicy, Stack, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { Settings } from "../../settings.ts";
import type { ServiceFunction } from "../service-function.ts";
import { accessLog } from "./access-log.ts";
import { CustomDomain } from "./custom-domain.ts";
import { throttleRoute, tunnelThrottle } from "./route-throttle.ts";

const stageName = "prod";

const routeKeys = ["$connect", "$disconnect", "$default"] as const;

const accessLogFields = {
  request_id: "$context.requestId",
  time: "$context.requestTime",
  ip: "$context.identity.sourceIp",
  connection_id: "$context.connectionId",
  event: "$context.eventType",
  status: "$context.status",
  integration_latency_ms: "$context.integrationLatency",
  integration_error: "$context.integrationErrorMessage",
} as const;

export class TunnelApi extends Construct {
  readonly apiId: string;
  readonly stageName = stageName;
  readonly url: string;
  readonly #api: WebSocketApi;
  readonly #stage: WebSocketStage;
  readonly #settings: Settings;
  readonly #callbackUrl: string;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    this.#api = new WebSocketApi(this, "Api", { apiName: `das-${settings.deployment}-websocket` });
    this.apiId = this.#api.apiId;
    // Posts never go to a custom domain, so this endpoint stays on beside one.
    const host = `${this.apiId}.execute-api.${region}.${urlSuffix}/${stageName}`;
    this.#callbackUrl = `https://${host}`;
    this.url =
      settings.webSocketHostName === undefined ? `wss://${host}` : `wss://${settings.webSocketHostName}`;

    this.#settings = settings;
    this.#stage = new WebSocketStage(this, "Stage", {
      webSocketApi: this.#api,
      stageName,
      autoDeploy: true,
      detailedMetricsEnabled: settings.detailedMetrics,
      throttle: { rateLimit: settings.throttleRate, burstLimit: settings.throttleBurst },
      ...(settings.webSocketAccessLogs
        ? { accessLogSettings: accessLog(this, "AccessLog", accessLogFields, settings.logRetentionDays) }
        : {}),
    });
    if (!settings.webSocketAccessLogs) {
      Validations.of(this.#stage).acknowledge({
        id: "AwsSolutions-APIG1",
        reason:
          "A WebSocket API can log only once the Region has API Gateway's log role (setting webSocketAccessLogs).",
      });
    }
    if (settings.apiGatewayLogRole) this.#stage.node.addDependency(this.#regionLogRole());
    if (settings.webSocketHostName !== undefined && settings.webSocketCertificateArn !== undefined) {
      new CustomDomain(this, "CustomDomain", {
        hostName: settings.webSocketHostName,
        certificateArn: settings.webSocketCertificateArn,
        hostedZoneId: settings.hostedZoneId,
        api: this.#api,
        stage: this.#stage,
        outputName: "TunnelDomainTarget",
      }).addRecord();
    }
    new CfnOutput(this, "Url", {
      description: "The address that drivers dial.",
      value: this.url,
    }).overrideLogicalId("TunnelUrl");
  }

  addRoutes(fn: ServiceFunction): void {
    for (const routeKey of routeKeys) {
      const route = this.#api.addRoute(routeKey, {
        integration: new WebSocketLambdaIntegration(`${routeKey.slice(1)}-integration`, fn.lambda),
      });
      Validations.of(route).acknowledge({
        id: "AwsSolutions-APIG4",
        reason: "The function judges the handshake, and messages come from a connection it let in.",
      });
      throttleRoute(this.#stage, route, routeKey, tunnelThrottle(this.#settings, routeKey));
    }
  }

  bindAddress(fn: ServiceFunction): void {
    fn.set("WEBSOCKET_URL", this.url);
  }

  bindConnections(fn: ServiceFunction): void {
    this.#allowConnections(fn, "POST");
  }

  bindDisconnects(fn: ServiceFunction): void {
    this.#allowConnections(fn, "DELETE");
  }

  bindQuestions(fn: ServiceFunction): void {
    this.#allowConnections(fn, "GET");
  }

  #allowConnections(fn: ServiceFunction, method: "GET" | "POST" | "DELETE"): void {
    fn.allow({
      actions: ["execute-api:ManageConnections"],
      resources: [
        Stack.of(this).formatArn({
          service: "execute-api",
          resource: this.apiId,
          resourceName: `${stageName}/${method}/@connections/*`,
        }),
      ],
      wildcardReason: "Connections get their ids when drivers dial in.",
    });
    fn.set("WEBSOCKET_CALLBACK_URL", this.#callbackUrl);
    this.bindAddress(fn);
  }

  /** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-logging.html */
  #regionLogRole(): CfnAccount {
    const role = new Role(this, "RegionLogRole", {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName("service-role/AmazonAPIGatewayPushToCloudWatchLogs"),
      ],
    });
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      reason: "API Gateway asks for this policy by name, and the role serves every API of the Region.",
    });
    const account = new CfnAccount(this, "RegionAccount", { cloudWatchRoleArn: role.roleArn });
    // Other APIs of the Region use them, too.
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return account;
  }
}
