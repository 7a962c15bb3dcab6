import { useState } from "preact/hooks";
import type {
  CreateModelConfigurationBody,
  ModelConfiguration,
  UpdateModelConfigurationBody,
} from "../../../../../shared/contract/model-configuration.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { Table } from "../../parts/list/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Show } from "../../parts/show.tsx";
import { RowActions } from "../row-actions.tsx";
import { modelForm, modelTexts } from "./model-form.ts";

export function ModelsPage() {
  const can = useCan();
  const { act, isBusy } = useAction();
  const models = useCall("listModelConfigurations");
  const [edited, setEdited] = useState<ModelConfiguration | "new" | undefined>();
  const remove = async ({ id, name }: ModelConfiguration) => {
    const text = "Workflows that name it have no model any more.";
    if (!(await confirm({ title: `Delete ${name}?`, text, verb: "Delete" }))) return;
    const path = { model_configuration_id: id };
    await act("deleteModelConfiguration", { path }, { done: "The configuration is deleted." });
    await models.reload();
  };
  return (
    <>
      <PageHeader title="Models">
        {can("write") ? (
          <Button text="New configuration" class="primary" onClick={() => setEdited("new")} />
        ) : null}
      </PageHeader>
      <p>Models with the settings of their calls. Workflows and runs name one.</p>
      <Show of={models}>
        {(all) => (
          <Table
            caption="Model configurations"
            rows={all}
            keyOf={({ id }) => id}
            columns={[
              { title: "Name", cell: ({ name }) => name },
              { title: "Model", cell: ({ provider, model }) => `${model} (${provider})` },
              { title: "Owner", isMinor: true, cell: ({ is_system }) => (is_system ? "the service" : "you") },
              { title: "Description", isMinor: true, cell: ({ description }) => description },
              { title: "Id", isMinor: true, cell: ({ id }) => <CopyButton text={id} label="Copy the id" /> },
              {
                title: "Change",
                cell: (configuration) =>
                  can("write") && !configuration.is_system ? (
                    <RowActions
                      isBusy={isBusy}
                      onEdit={() => setEdited(configuration)}
                      onDelete={() => void remove(configuration)}
                    />
                  ) : null,
              },
            ]}
          />
        )}
      </Show>
      {edited === undefined ? null : (
        <EditModel
          configuration={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined);
            void models.reload();
          }}
        />
      )}
    </>
  );
}

interface EditModelProps {
  /** Undefined for a new one. */
  readonly configuration: ModelConfiguration | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function EditModel({ configuration, onClose, onDone }: EditModelProps) {
  const { act, isBusy, error } = useAction();
  const save = async (body: Readonly<Record<string, unknown>>) => {
    const options = { done: "The configuration is saved.", isQuiet: true };
    const saved =
      configuration === undefined
        ? await act("createModelConfiguration", { body: body as CreateModelConfigurationBody }, options)
        : await act(
            "updateModelConfiguration",
            {
              path: { model_configuration_id: configuration.id },
              body: body as UpdateModelConfigurationBody,
            },
            options,
          );
    if (saved !== undefined) onDone();
  };
  return (
    <FormDialog
      title={configuration === undefined ? "New model configuration" : "Edit the model configuration"}
      schema={modelForm}
      {...(configuration !== undefined && { before: modelTexts(configuration) })}
      verb="Save"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={save}
    />
  );
}
