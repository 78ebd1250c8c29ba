import { EventEmitter } from 'node:events';
import { Request } from 'tedious';

const procedures: readonly unknown[] = ['sp_prepare', 'sp_execute', 'sp_unprepare'];

/**
 * From here on, in this process, `tedious` calls these procedures with parameters by position, declares none as null
 * and not as an empty text, and hears the handle by its name. Babelfish knows no other way, and `mssql` knows no other
 * than names: its PreparedStatement could not be tested there otherwise.
 */
export function callByPosition(): void {
  const { addParameter } = Request.prototype;
  Request.prototype.addParameter = function (name, type, value, options) {
    if (!procedures.includes(this.sqlTextOrProcedure)) return addParameter.call(this, name, type, value, options);
    addParameter.call(this, '', type, name === 'params' && value === '' ? null : value, options);
  };
  Request.prototype.emit = function (event: string | symbol, ...args: unknown[]): boolean {
    const unnamed = event === 'returnValue' && args[0] === '';
    return EventEmitter.prototype.emit.call(this, event, ...(unnamed ? ['handle', ...args.slice(1)] : args));
  };
}
