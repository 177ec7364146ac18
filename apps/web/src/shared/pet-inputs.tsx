import { fieldNames, petFields, type FieldName, type PetField } from "@petstore/contract/fields";
import { CategoryField, Choice, TextField } from "./fields.tsx";
import { formatNumber, words } from "./language.ts";
import type { FieldProblems, Fields } from "./pet-fields.ts";
import { choiceTexts, lengthOf, problemText } from "./rules.ts";

interface PetInputsProps {
  values: Fields;
  /** Those to show. */
  problems: FieldProblems;
  isLocked?: boolean;
  /** Whether the status is chosen here, and not with the buttons of the animal. */
  isNew?: boolean;
  onChange: (change: Partial<Fields>) => void;
  onLeave?: (name: FieldName) => void;
}

/** An input for each field of an animal, in a form that adds or changes one. */
export function PetInputs({ values, problems, isLocked, isNew = false, onChange, onLeave }: PetInputsProps) {
  const { add: text, fields: labels } = words.value;
  return fieldNames.map((name, index) => {
    const field: PetField = petFields[name];
    const props = {
      key: name,
      name,
      label: labels[name],
      value: values[name],
      problem: problemText(name, problems),
      isLocked,
      isFirst: isNew && index === 0,
      isOptional: field.isOptional,
      onChange: (value: string) => onChange({ [name]: value }),
      onLeave: () => onLeave?.(name),
    };
    if (name === "categoryId") return <CategoryField {...props} />;
    if (name === "status" && !isNew) return null;
    if (field.kind === "choice") return <Choice {...props} texts={choiceTexts(name)} />;
    if (field.kind === "int64") return <TextField {...props} advice={text.numberAdvice} isNumber />;
    const length = lengthOf(values[name].trim());
    const advice = text.textLength(formatNumber(length), formatNumber(field.max));
    return <TextField {...props} advice={advice} isOver={length > field.max} />;
  });
}
