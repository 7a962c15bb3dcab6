import { useRef, useState } from "preact/hooks";
import { elementTimeoutMsMax } from "../../../../../shared/vocabulary/trajectories.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check } from "../../parts/form/check.tsx";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { type Point, replacedText, retargeted, withAction, withInput } from "./edit-elements.ts";
import { type Display, ElementPicture } from "./element-picture.tsx";
import { elementView, textFields, textOf, wordsOf } from "./element-view.ts";
import { InputChoice } from "./input-choice.tsx";

type JsonObject = Readonly<Record<string, unknown>>;

interface ElementDialogProps {
  readonly place: number;
  readonly element: JsonObject;
  readonly display: Display | null;
  /** Names that texts may become. */
  readonly inputs: readonly string[];
  /** @param recorded values that the recording had of inputs that are new. */
  readonly onDone: (element: JsonObject, recorded: JsonObject) => void;
  readonly onClose: () => void;
}

/** One element: its place by a click on the picture, its text or a part of it as an input, and how it is found. */
export function ElementDialog({ place, element, display, inputs, onDone, onClose }: ElementDialogProps) {
  const [draft, setDraft] = useState(element);
  const [recorded, setRecorded] = useState<JsonObject>({});
  const [isOutside, setOutside] = useState(false);
  const textArea = useRef<HTMLTextAreaElement>(null);
  const view = elementView(draft);
  if (view === undefined) return null;
  const { action, points } = view;
  const field = textFields[action.type];
  const text = textOf(view);
  const retarget = (point: Point) => {
    const next = retargeted(draft, point);
    setOutside(next === undefined);
    if (next !== undefined) setDraft(next);
  };
  const nameInput = (name: string) => {
    const area = textArea.current;
    const selected = area ? { from: area.selectionStart, to: area.selectionEnd } : undefined;
    setRecorded({ ...recorded, [name]: replacedText(draft, selected) });
    setDraft(withInput(draft, name, selected));
  };
  const setAction = (changes: JsonObject) => setDraft(withAction(draft, changes));
  const [point] = points;
  return (
    <Dialog title={`Step ${place}: ${wordsOf(view)}`} isWide onClose={onClose}>
      <Form class="element-form" onSubmit={() => onDone(draft, recorded)}>
        <div>
          {point === undefined ? (
            <ElementPicture view={view} display={display} alt="The screen before" />
          ) : (
            <>
              <ElementPicture
                view={view}
                display={display}
                alt="The screen before, with the place marked"
                onPoint={retarget}
              />
              <p class="hint" role="status">
                {isOutside
                  ? "There is no picture of that place: only the sharp piece was kept. Record it anew, or let a model decide."
                  : "Click another place on the picture to click there instead."}
              </p>
            </>
          )}
        </div>
        <div>
          {point === undefined ? null : (
            <div class="pair">
              <PlaceField label="Across" value={point.x} onValue={(x) => retarget({ ...point, x })} />
              <PlaceField label="Down" value={point.y} onValue={(y) => retarget({ ...point, y })} />
            </div>
          )}
          {text === undefined || field === undefined ? null : (
            <>
              <Field label="Text" hint="Select a part to turn only that into an input.">
                {(control) => (
                  <textarea
                    {...control}
                    ref={textArea}
                    rows={3}
                    value={text}
                    onInput={(event) => setAction({ [field]: event.currentTarget.value })}
                  />
                )}
              </Field>
              <InputChoice inputs={inputs} onName={nameInput} />
            </>
          )}
          <TextField
            label="Target"
            hint="What it is done to, such as: the button Save. A model finds it by these words."
            maxLength={255}
            value={view.target}
            onText={(text) => setAction({ target: text || undefined })}
          />
          <div class="pair">
            <ChoiceField
              label="Decided by"
              value={view.isByModel ? "model" : "replay"}
              choices={[
                ["replay", "the recording"],
                ["model", "a model, in each run"],
              ]}
              onChoose={(by) => setDraft({ ...draft, by })}
            />
            <TextField
              label="Waits up to, in ms"
              type="number"
              min={0}
              max={elementTimeoutMsMax}
              value={Number(draft.timeout_ms ?? 10_000)}
              onText={(text) => setDraft({ ...draft, timeout_ms: Number(text) })}
            />
          </div>
          {["click", "move", "drag", "scroll", "key"].includes(action.type) ? (
            <Check isChecked={view.isOptional} onCheck={(optional) => setDraft({ ...draft, optional })}>
              left out where it is not there: it closes what may be in the way
            </Check>
          ) : null}
          <div class="actions">
            <Button text="Cancel" onClick={onClose} />
            <button type="submit" class="primary">
              Change the step
            </button>
          </div>
        </div>
      </Form>
    </Dialog>
  );
}

interface PlaceFieldProps {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
}

/** The keyboard's way to another place. */
function PlaceField({ label, value, onValue }: PlaceFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="number"
          value={value}
          onChange={(event) => onValue(Math.round(Number(event.currentTarget.value)))}
        />
      )}
    </Field>
  );
}
