"""From clicks to labels: click models, what they say of relevance, and estimates from logged rankings."""

from cranfield.clicks.chain import CCM, CM, DBN, DCM, SDBN
from cranfield.clicks.ctr import DCTR, GCTR, RCTR
from cranfield.clicks.examination import PBM, UBM
from cranfield.clicks.log import ClickLog
from cranfield.clicks.model import PYCLICK, ClickModel, Fitting

MODELS: dict[str, type[ClickModel]] = {
    model.name: model for model in (GCTR, RCTR, DCTR, PBM, CM, DCM, SDBN, DBN, CCM, UBM)
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
    "UBM",
    "ClickLog",
    "ClickModel",
    "Fitting",
]
