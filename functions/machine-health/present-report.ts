import type { MachineHealthReport as WireReport } from "../../shared/contract/health.ts";
import type { MachineHealthReport } from "../../shared/domain/health/probe-machines.ts";

export function presentReport(report: MachineHealthReport): WireReport {
  const errored = report.faults.length;
  return {
    status: errored === 0 ? "ok" : "error",
    scope: report.scope,
    checked_machines: report.checkedMachines,
    healthy_machines: report.checkedMachines - errored,
    errored_machines: report.faults.map((fault) => ({
      machine_id: fault.machineId,
      error: fault.error,
      organization_id: fault.organizationId,
      machine_name: fault.machineName,
      status_code: fault.statusCode,
    })),
    message: message(report.checkedMachines, errored),
  };
}

function message(checked: number, errored: number): string {
  if (checked === 0) return "no machine is connected";
  if (errored === 0)
    return checked === 1 ? "the connected machine answers" : `all ${checked} connected machines answer`;
  return `${errored} of ${checked} connected machines failed`;
}
