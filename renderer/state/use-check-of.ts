import { useEffect, useState } from 'react';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { Checked } from '#protocol/ipc.ts';
import { request } from './bridge.ts';

/** The check of an experiment, or the reason why it failed. */
interface Check {
  readonly checked: Checked | null;
  readonly problem: string | null;
}

/** The check of an experiment; null until the check of this text has ended. */
export function useCheckOf(text: string | null): Check | null {
  const [check, setCheck] = useState<(Check & { readonly of: string }) | null>(null);
  useEffect(() => {
    if (text === null) return;
    let isLatest = true;
    request('experiments:check', { text }).then(
      (checked) => isLatest && setCheck({ of: text, checked, problem: null }),
      (thrown) => isLatest && setCheck({ of: text, checked: null, problem: errorText(toErrorData(thrown)) }),
    );
    return () => {
      isLatest = false;
    };
  }, [text]);
  return check?.of === text ? check : null;
}

/** The reason why the experiment cannot run; null: it can, or its check has not ended. */
export function checkProblem(check: Check | null): string | null {
  const [error, ...more] = check?.checked?.diagnostics.filter(({ severity }) => severity === 'error') ?? [];
  if (error === undefined) return check?.problem ?? null;
  const rest = more.length > 0 ? ` And ${more.length} more: the builder shows and fixes them.` : '';
  return `${error.message.replaceAll(/`([^`]*)`/g, '“$1”')}${rest}`;
}
