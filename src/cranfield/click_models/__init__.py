"""From clicks to labels: click models, what they say of relevance, and estimates from logged rankings."""

from cranfield.click_models.chain import CCM, CM, DBN, DCM, SDBN
from cranfield.click_models.ctr import DCTR, GCTR, RCTR
from cranfield.click_models.examination import PBM, UBM
from cranfield.click_models.model import PYCLICK, ClickModel, Fitting
from cranfield.click_models.task_centric import TCM
from cranfield.data.click_log import ClickLog

MODELS: dict[str, type[ClickModel]] = {
    model.name: model for model in (GCTR, RCTR, DCTR, PBM, CM, DCM, SDBN, DBN, CCM, UBM, TCM)
}
"""Every click model by its name."""

__all__ = [
    "CCM",
    "CM",
    "DBN",
    "DCM",
    "DCTR",
    "GCTR",
    "MODELS",
    "PBM",
    "PYCLICK",
    "RCTR",
    "SDBN",
    "TCM",
    "UBM",
    "ClickLog",
    "ClickModel",
    "Fitting",
]
