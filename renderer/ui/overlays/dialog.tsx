import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { IconButton } from '../controls/button.tsx';

interface Props {
  readonly title: string;
  readonly open: boolean;
  readonly wide?: boolean;
  /** True for a dialog as wide as the window allows. */
  readonly full?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export const Dialog = ({ title, open, wide = false, full = false, onClose, children }: Props) => (
  <ModalOverlay className="overlay" isOpen={open} onOpenChange={(isOpen) => !isOpen && onClose()} isDismissable>
    <Modal className={full ? 'modal modal-full' : wide ? 'modal modal-wide' : 'modal'}>
      <AriaDialog className="dialog">
        <header className="dialog-head">
          <Heading slot="title">{title}</Heading>
          <IconButton icon="close" label="Close" onPress={onClose} />
        </header>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);
